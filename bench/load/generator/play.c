#include "play.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

#define TOLD 5            // mistakes that are told in words
#define LATE 2000000      // nanoseconds
#define SECOND 1000000000.0

struct plan plan = {.tables = 50, .window = 8};
struct table *tables;
struct client *clients;
unsigned clients_there;
struct counts counts;

static bool playing;
static uint64_t began;
static uint64_t slots;  // of the schedule, that are over

void set_tables(void) {
    int count = 2 * plan.tables + plan.watchers;
    clients = calloc((size_t)count, sizeof *clients);
    tables = calloc((size_t)plan.tables, sizeof *tables);
    for (int number = 0; number < count; number++) {
        struct client *client = &clients[number];
        bool plays = number < 2 * plan.tables;
        client->number = (uint32_t)number;
        client->fd = -1;
        client->table = plays ? number / 2 : 0;
        client->seat = plays ? number % 2 : -1;
        tables[client->table].missing++;
        tables[client->table].clients++;
    }
    if (plan.watchers) tables[0].told = calloc(KEPT, sizeof *tables[0].told);
}

struct client *opponent(const struct client *client) { return &clients[client->number ^ 1]; }

// -- the moves

// Every stone of a round goes to another cell: 37 has no factor in common with the number of cells.
static int cell_of(const struct table *table, uint32_t move) {
    return (int)((move % ROUND * 37 + (uint32_t)(table - tables)) % (SIDE * SIDE));
}

void name_cell(int cell, char *to) { sprintf(to, "%c%d", 'a' + cell % SIDE, cell / SIDE + 1); }

int cell_named(const char *name, size_t length) {
    int row = length == 3 && name[1] == '1' && name[2] == '0' ? 9 : length == 2 ? name[1] - '1' : -1;
    return row >= 0 && row < SIDE ? row * SIDE + name[0] - 'a' : -1;
}

static void make(struct table *table, uint64_t since) {
    uint32_t move = table->made++;
    table->sent[move % KEPT] = since;
    if (table->told) table->told[move % KEPT] = 0;
    table->in_game++;
    counts.moves++;
    speaks->play(table->seats[move % 2], cell_of(table, move));
}

static uint64_t due_at(const struct table *table) {
    return began + (uint64_t)((double)table->slot * SECOND / plan.rate);
}

// Makes the next move, unless it is too early.
static void make_next(struct table *table, uint64_t now) {
    if (!playing || table->missing || (plan.game && table->in_game == plan.game)) return;
    if (table->seats[table->made % 2]->seen != table->made) return;  // has not seen the last one
    if (plan.rate > 0) {
        uint64_t due = due_at(table);
        if (now < due) return;
        if (now - due > LATE) counts.late++;
        table->slot += (uint64_t)plan.tables;
        make(table, due);  // whoever waits for a slow server waits from then on
    } else if (!table->told || table->made - table->told_all < (uint32_t)plan.window) {
        make(table, now);
    }
}

void begin(uint64_t now) {
    playing = true;
    began = now;
    for (int number = 0; number < plan.tables; number++) {
        tables[number].slot = (uint64_t)number;
        make_next(&tables[number], now);
    }
}

void end(void) { playing = false; }

uint64_t next_slot_at(void) { return began + (uint64_t)((double)slots * SECOND / plan.rate); }

void make_due(uint64_t now) {
    while (next_slot_at() <= now) make_next(&tables[slots++ % (uint64_t)plan.tables], now);
}

unsigned stalled(void) {
    unsigned found = 0;
    for (int number = 0; number < plan.tables; number++) {
        struct table *table = &tables[number];
        uint32_t first = table->seats[0]->seen, second = table->seats[1]->seen;
        if (table->made == 0 || first != table->made || second != table->made) found++;
        if (table->told && table->told_all != table->made) found++;
    }
    return found;
}

int next_cell(const struct client *client) { return cell_of(&tables[client->table], client->seen); }

// -- what the dialects tell

void arrived(struct client *client, int seat) {
    struct table *table = &tables[client->table];
    if (client->stage != COMING) return;
    client->stage = THERE;
    clients_there++;
    client->seat = seat;
    if (seat >= 0) table->seats[seat] = client;
    if (--table->missing == 0) {
        table->in_game = 0;
        make_next(table, now_ns());
    }
}

void departed(struct client *client) {
    if (client->stage != THERE) return;
    client->stage = COMING;
    clients_there--;
    tables[client->table].missing++;
}

void updated(struct client *client, int64_t number, int cell, size_t frame) {
    uint64_t now = now_ns();
    struct table *table = &tables[client->table];
    uint32_t move = client->seen++;
    if (move >= table->made || number != (int64_t)client->seen || cell != cell_of(table, move)) {
        wrong(client, "an update is not about the next move");
        return;
    }
    counts.deliveries++;
    counts.update_bytes += frame;
    uint32_t kept = move % KEPT;
    if (table->told && ++table->told[kept] == table->clients) table->told_all = client->seen;
    bool is_opponent = client->seat == (int)(client->seen % 2);
    if (table->told || is_opponent) note_time(now - table->sent[kept]);
    make_next(table, now);
}

void wrong(const struct client *client, const char *what) {
    if (counts.wrong++ < TOLD)
        fprintf(stderr, "table %d, seat %d, after %u updates: %s\n", client->table, client->seat, client->seen, what);
}

void refused(const struct client *client, const char *text, int length) {
    if (counts.refused++ < TOLD)
        fprintf(stderr, "table %d, seat %d: refused: %.*s\n", client->table, client->seat, length, text);
}
