// How to speak to the small servers in peers/: MessagePack maps with their name under "t".
//
// To the server: join (room, seat; -1 to watch) and move (cell). From it: state once, then diff for every move, with
// the number of the move as n, the cell, the seat to move and the clocks.
#include <stdio.h>

#include "pack.h"
#include "play.h"

static void entered(struct client *client) {
    struct out out = {.length = 0};
    char room[28];
    snprintf(room, sizeof room, "r%d", client->table);
    put_map(&out, 3);
    put_text(&out, "t");
    put_text(&out, "join");
    put_text(&out, "room");
    put_text(&out, room);
    put_text(&out, "seat");
    put_number(&out, client->seat);
    send_message(client, out.bytes, out.length);
}

static void play(struct client *client, int cell) {
    struct out out = {.length = 0};
    put_map(&out, 2);
    put_text(&out, "t");
    put_text(&out, "move");
    put_text(&out, "cell");
    put_number(&out, cell);
    send_message(client, out.bytes, out.length);
}

static void received(struct client *client, const uint8_t *message, size_t length, size_t frame) {
    struct in in = {message, message + length, false};
    struct text t = {"", 0};
    int64_t number = -1, cell = -1;
    for (unsigned pairs = take_map(&in); pairs > 0 && !in.bad; pairs--) {
        struct text key = take_text(&in);
        if (is(key, "t"))
            t = take_text(&in);
        else if (is(key, "n"))
            number = take_number(&in);
        else if (is(key, "cell"))
            cell = take_number(&in);
        else
            skip(&in);
    }
    if (in.bad)
        wrong(client, "a message that cannot be read");
    else if (is(t, "diff"))
        updated(client, number, (int)cell, frame);
    else if (is(t, "state"))
        arrived(client, client->seat);
    else
        refused(client, t.start, (int)t.length);
}

const struct dialect PLAIN = {
    .name = "plain",
    .path = "/",
    .entered = entered,
    .received = received,
    .play = play,
};
