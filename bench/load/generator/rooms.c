#include "rooms.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

#define MAX_REPORTS 5    // mismatches and refusals that are described on stderr
#define LATE_NS 2000000
#define SECOND_NS 1000000000.0

struct workload workload = {.rooms = 50, .window = 8};
struct room *rooms;
struct client *clients;
unsigned clients_joined;
struct counts counts;

static bool playing;
static uint64_t started_at;
static uint64_t slots_done;

void set_up_rooms(void) {
    int players = 2 * workload.rooms, count = players + workload.spectators;
    clients = calloc((size_t)count, sizeof *clients);
    rooms = calloc((size_t)workload.rooms, sizeof *rooms);
    for (int index = 0; index < count; index++) {
        struct client *client = &clients[index];
        client->index = (uint32_t)index;
        client->fd = -1;
        client->room = index < players ? index / 2 : 0;
        client->seat = index < players ? index % 2 : -1;
        rooms[client->room].missing++;
        rooms[client->room].clients++;
    }
    if (workload.spectators) rooms[0].deliveries = calloc(TRACKED_MOVES, sizeof *rooms[0].deliveries);
}

struct client *opponent_of(const struct client *client) { return &clients[client->index ^ 1]; }

// -- moves

// The moves of a round all go to different cells, because 37 and the number of cells are coprime.
static int cell_of(const struct room *room, uint32_t move) {
    return (int)((move % MOVES_PER_ROUND * 37 + (uint32_t)(room - rooms)) % (SIDE * SIDE));
}

int expected_cell(const struct client *client) { return cell_of(&rooms[client->room], client->updates); }

void format_cell(int cell, char *to) { sprintf(to, "%c%d", 'a' + cell % SIDE, cell / SIDE + 1); }

int parse_cell(const char *name, size_t length) {
    int row = length == 3 && name[1] == '1' && name[2] == '0' ? 9 : length == 2 ? name[1] - '1' : -1;
    return row >= 0 && row < SIDE ? row * SIDE + name[0] - 'a' : -1;
}

static void make_move(struct room *room, uint64_t sent_at) {
    uint32_t move = room->moves++;
    room->sent_at[move % TRACKED_MOVES] = sent_at;
    if (room->deliveries) room->deliveries[move % TRACKED_MOVES] = 0;
    room->moves_in_game++;
    counts.moves++;
    protocol->play(room->players[move % 2], cell_of(room, move));
}

static uint64_t due_at(uint64_t slot) { return started_at + (uint64_t)((double)slot * SECOND_NS / workload.rate); }

// Makes the next move, unless it is too early for it.
static void make_next_move(struct room *room, uint64_t now) {
    if (!playing || room->missing) return;
    if (workload.moves_per_game && room->moves_in_game == workload.moves_per_game) return;
    if (room->players[room->moves % 2]->updates != room->moves) return;
    if (workload.rate > 0) {
        uint64_t due = due_at(room->slot);
        if (now < due) return;
        if (now - due > LATE_NS) counts.late++;
        room->slot += (uint64_t)workload.rooms;
        make_move(room, due);  // so that the latency includes the time for which a slow server delays the move
    } else if (!room->deliveries || room->moves - room->fully_delivered < (uint32_t)workload.window) {
        make_move(room, now);
    }
}

void start_moves(uint64_t now) {
    playing = true;
    started_at = now;
    for (int index = 0; index < workload.rooms; index++) {
        rooms[index].slot = (uint64_t)index;
        make_next_move(&rooms[index], now);
    }
}

void stop_moves(void) { playing = false; }

uint64_t next_slot_at(void) { return due_at(slots_done); }

void make_due_moves(uint64_t now) {
    while (next_slot_at() <= now) make_next_move(&rooms[slots_done++ % (uint64_t)workload.rooms], now);
}

unsigned stalled_rooms(void) {
    unsigned stalled = 0;
    for (int index = 0; index < workload.rooms; index++) {
        struct room *room = &rooms[index];
        if (room->moves == 0 || room->players[0]->updates != room->moves || room->players[1]->updates != room->moves)
            stalled++;
        if (room->deliveries && room->fully_delivered != room->moves) stalled++;
    }
    return stalled;
}

// -- reports of the protocols

void joined(struct client *client, int seat) {
    struct room *room = &rooms[client->room];
    if (client->stage != JOINING) return;
    client->stage = JOINED;
    clients_joined++;
    client->seat = seat;
    if (seat >= 0) room->players[seat] = client;
    if (--room->missing == 0) {
        room->moves_in_game = 0;
        make_next_move(room, now_ns());
    }
}

void left(struct client *client) {
    if (client->stage != JOINED) return;
    client->stage = JOINING;
    clients_joined--;
    rooms[client->room].missing++;
}

void updated(struct client *client, int64_t number, int cell, size_t frame_size) {
    uint64_t now = now_ns();
    struct room *room = &rooms[client->room];
    uint32_t move = client->updates++;
    if (move >= room->moves || number != (int64_t)client->updates || cell != cell_of(room, move)) {
        mismatched(client, "an update is not about the next move");
        return;
    }
    counts.deliveries++;
    counts.update_bytes += frame_size;
    uint32_t tracked = move % TRACKED_MOVES;
    if (room->deliveries && ++room->deliveries[tracked] == room->clients) room->fully_delivered = client->updates;
    bool is_opponent = client->seat == (int)(client->updates % 2);
    if (room->deliveries || is_opponent) record_latency(now - room->sent_at[tracked]);
    make_next_move(room, now);
}

void mismatched(const struct client *client, const char *problem) {
    if (counts.mismatched++ < MAX_REPORTS)
        fprintf(stderr, "room %d, seat %d, after %u updates: %s\n", client->room, client->seat, client->updates,
                problem);
}

void refused(const struct client *client, const char *reason, int length) {
    if (counts.refused++ < MAX_REPORTS)
        fprintf(stderr, "room %d, seat %d: refused: %.*s\n", client->room, client->seat, length, reason);
}
