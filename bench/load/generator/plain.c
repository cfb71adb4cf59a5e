// The protocol of the peers ws.mjs and floor.c: MessagePack maps with their type under "t".
//
// Client to server: join (room, seat; -1 for a spectator) and move (cell). Server to client: state once, then diff for
// every move, with the number of the move as n, the cell, the seat to move and the clocks.
#include <stdio.h>

#include "msgpack.h"
#include "rooms.h"

static void opened(struct client *client) {
    struct writer writer = {.length = 0};
    char room[28];
    snprintf(room, sizeof room, "r%d", client->room);
    write_map(&writer, 3);
    write_string(&writer, "t");
    write_string(&writer, "join");
    write_string(&writer, "room");
    write_string(&writer, room);
    write_string(&writer, "seat");
    write_int(&writer, client->seat);
    send_message(client, writer.bytes, writer.length);
}

static void play(struct client *client, int cell) {
    struct writer writer = {.length = 0};
    write_map(&writer, 2);
    write_string(&writer, "t");
    write_string(&writer, "move");
    write_string(&writer, "cell");
    write_int(&writer, cell);
    send_message(client, writer.bytes, writer.length);
}

static void received(struct client *client, const uint8_t *message, size_t length, size_t frame_size) {
    struct reader reader = {message, message + length, false};
    struct slice type = {"", 0};
    int64_t number = -1, cell = -1;
    for (unsigned pairs = read_map(&reader); pairs > 0 && !reader.bad; pairs--) {
        struct slice key = read_string(&reader);
        if (equals(key, "t"))
            type = read_string(&reader);
        else if (equals(key, "n"))
            number = read_int(&reader);
        else if (equals(key, "cell"))
            cell = read_int(&reader);
        else
            skip_value(&reader);
    }
    if (reader.bad)
        mismatched(client, "a malformed message");
    else if (equals(type, "diff"))
        updated(client, number, (int)cell, frame_size);
    else if (equals(type, "state"))
        joined(client, client->seat);
    else
        refused(client, type.start, (int)type.length);
}

const struct protocol PLAIN = {
    .name = "plain",
    .path = "/",
    .opened = opened,
    .received = received,
    .play = play,
};
