// The protocol of Parlour (docs/protocol.md), as MessagePack.
#include <stdio.h>
#include <string.h>

#include "msgpack.h"
#include "rooms.h"

#define CLOCK_MS 600000    // for each player, as on the other systems
#define INCREMENT_MS 1000  // after each move, because a game here may be longer than a round there

// The fields of interest in the maps that the server sends.
struct message {
    struct slice type, room, seek, kind, next, text;
    int64_t epoch, seq, seat;
};

// -- sending

static void start_command(struct client *client, struct writer *writer, const char *type, unsigned fields) {
    write_map(writer, 2 + fields);
    write_string(writer, "t");
    write_string(writer, type);
    write_string(writer, "id");
    write_int(writer, ++client->command_id);
}

static void opened(struct client *client) {
    struct writer writer = {.length = 0};
    write_map(&writer, 3);
    write_string(&writer, "t");
    write_string(&writer, "hello");
    write_string(&writer, "client");
    write_string(&writer, "parlour bench");
    write_string(&writer, "choices");
    write_bool(&writer, workload.choices);
    send_message(client, writer.bytes, writer.length);
}

static void challenge(struct client *client) {
    struct writer writer = {.length = 0};
    start_command(client, &writer, "challenge", 2);
    write_string(&writer, "seat");
    write_string(&writer, "first");
    write_string(&writer, "terms");
    write_map(&writer, 3);
    write_string(&writer, "game");
    write_string(&writer, "placement");
    write_string(&writer, "options");
    write_map(&writer, 1);
    write_string(&writer, "rounds");
    write_int(&writer, workload.moves_per_game / MOVES_PER_ROUND);
    write_string(&writer, "clock");
    write_map(&writer, 3);
    write_string(&writer, "kind");
    write_string(&writer, "fischer");
    write_string(&writer, "main");
    write_int(&writer, CLOCK_MS);
    write_string(&writer, "step");
    write_int(&writer, INCREMENT_MS);
    send_message(client, writer.bytes, writer.length);
}

// Accepts the challenge of the first player once both the challenge and the second player's welcome have arrived.
static void accept_challenge(struct client *challenger) {
    struct client *opponent = opponent_of(challenger);
    struct writer writer = {.length = 0};
    if (!challenger->seek_id[0] || !opponent->welcomed) return;
    start_command(opponent, &writer, "accept", 1);
    write_string(&writer, "seek");
    write_string(&writer, challenger->seek_id);
    send_message(opponent, writer.bytes, writer.length);
}

static void send_room_command(struct client *client, const char *type) {
    struct writer writer = {.length = 0};
    start_command(client, &writer, type, 1);
    write_string(&writer, "room");
    write_string(&writer, client->room_id);
    send_message(client, writer.bytes, writer.length);
}

static void offer_rematch(struct client *client) {
    struct writer writer = {.length = 0};
    start_command(client, &writer, "offer", 2);
    write_string(&writer, "room");
    write_string(&writer, client->room_id);
    write_string(&writer, "kind");
    write_string(&writer, "rematch");
    send_message(client, writer.bytes, writer.length);
}

static void play(struct client *client, int cell) {
    struct writer writer = {.length = 0};
    char name[8];
    format_cell(cell, name);
    start_command(client, &writer, "play", 3);
    write_string(&writer, "room");
    write_string(&writer, client->room_id);
    write_string(&writer, "ply");
    write_int(&writer, rooms[client->room].moves_in_game - 1);
    write_string(&writer, "move");
    write_string(&writer, name);
    send_message(client, writer.bytes, writer.length);
}

// -- receiving

// Checks that an update has the next sequence number. Returns false for a late update from the room of the last game.
static bool advance(struct client *client, struct slice room, int64_t epoch, int64_t seq) {
    if (!equals(room, client->room_id)) return false;
    if (epoch != client->epoch || seq != client->seq + 1) mismatched(client, "an update does not have the next seq");
    client->seq = seq;
    return true;
}

static void handle_moved(struct client *client, struct reader reader, size_t frame_size) {
    read_array(&reader);
    int64_t tag = read_int(&reader);
    struct slice room = read_string(&reader);
    int64_t epoch = read_int(&reader), seq = read_int(&reader);
    read_int(&reader);  // hash
    struct slice move = read_string(&reader);
    skip_value(&reader);  // clock
    skip_value(&reader);  // change
    if (reader.bad || tag != 0 || reader.at != reader.end) mismatched(client, "a malformed moved");
    if (!advance(client, room, epoch, seq)) {
        mismatched(client, "a move in another room");
        return;
    }
    updated(client, (int64_t)client->updates + 1, parse_cell(move.start, move.length), frame_size);
}

static void handle_event(struct client *client, const struct message *message) {
    if (!advance(client, message->room, message->epoch, message->seq)) return;
    if (equals(message->kind, "ended")) {
        if (client->seat == 0) offer_rematch(client);
    } else if (equals(message->kind, "offered")) {
        if (client->seat == 1) offer_rematch(client);  // which accepts the offer
    } else if (equals(message->kind, "rematch")) {
        left(client);
        send_room_command(client, "leave");
        copy_string(message->next, client->room_id, sizeof client->room_id);
        send_room_command(client, "join");
    }
}

static void handle_welcome(struct client *client) {
    client->welcomed = true;
    if (client->seat == 0) {
        challenge(client);
    } else if (client->seat == 1) {
        accept_challenge(opponent_of(client));
    } else {
        strcpy(client->room_id, rooms[client->room].players[0]->room_id);
        send_room_command(client, "join");
    }
}

static void handle_ok(struct client *client, const struct message *message) {
    counts.acknowledged++;
    if (client->stage == JOINING && client->seat == 0 && message->seek.length && !client->seek_id[0]) {
        copy_string(message->seek, client->seek_id, sizeof client->seek_id);
        accept_challenge(client);
    }
}

static void handle_paired(struct client *client, const struct message *message) {
    if (client->stage != JOINING || client->room_id[0]) return;
    copy_string(message->room, client->room_id, sizeof client->room_id);
    send_room_command(client, "join");
}

static void handle_room(struct client *client, const struct message *message) {
    if (client->stage == JOINED) mismatched(client, "a snapshot instead of an update");
    counts.acknowledged++;
    client->epoch = message->epoch;
    client->seq = message->seq;
    joined(client, (int)message->seat);
}

static struct message read_message(struct reader *reader) {
    struct message message = {.seat = -1};
    for (unsigned pairs = read_map(reader); pairs > 0 && !reader->bad; pairs--) {
        struct slice key = read_string(reader);
        if (equals(key, "t")) {
            message.type = read_string(reader);
            if (equals(message.type, "choices") || equals(message.type, "presence")) return message;  // not used here
        } else if (read_nil(reader)) {
            continue;
        } else if (equals(key, "room")) {
            message.room = read_string(reader);
        } else if (equals(key, "seek")) {
            message.seek = read_string(reader);
        } else if (equals(key, "kind")) {
            message.kind = read_string(reader);
        } else if (equals(key, "next")) {
            message.next = read_string(reader);
        } else if (equals(key, "text")) {
            message.text = read_string(reader);
        } else if (equals(key, "epoch")) {
            message.epoch = read_int(reader);
        } else if (equals(key, "seq")) {
            message.seq = read_int(reader);
        } else if (equals(key, "seat")) {
            message.seat = read_int(reader);
        } else {
            skip_value(reader);
        }
    }
    return message;
}

static void received(struct client *client, const uint8_t *bytes, size_t length, size_t frame_size) {
    struct reader reader = {bytes, bytes + length, false};
    if (length && (*bytes & 0xf0) == 0x90) {  // `moved` is the only message that is an array
        handle_moved(client, reader, frame_size);
        return;
    }
    struct message message = read_message(&reader);
    if (reader.bad) {
        mismatched(client, "a malformed message");
    } else if (equals(message.type, "ok")) {
        handle_ok(client, &message);
    } else if (equals(message.type, "event")) {
        handle_event(client, &message);
    } else if (equals(message.type, "welcome")) {
        handle_welcome(client);
    } else if (equals(message.type, "paired")) {
        handle_paired(client, &message);
    } else if (equals(message.type, "room")) {
        handle_room(client, &message);
    } else if (equals(message.type, "refused")) {
        counts.acknowledged++;
        refused(client, message.text.start, (int)message.text.length);
    }
}

const struct protocol PARLOUR = {
    .name = "parlour",
    .path = "/ws",
    .subprotocol = "parlour.v1+msgpack",
    .opened = opened,
    .received = received,
    .play = play,
};
