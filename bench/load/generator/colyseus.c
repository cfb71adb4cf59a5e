// How to speak to Colyseus: matchmaking over HTTP, then its room protocol, with patches of a schema.
#include <stdio.h>
#include <string.h>

#include "pack.h"
#include "play.h"

enum code { JOIN_ROOM = 10, ERROR = 11, ROOM_DATA = 13, ROOM_STATE = 14, ROOM_STATE_PATCH = 15 };

// The fields of the state, in the order of peers/colyseus.mjs.
enum field { CELLS, TURN, NUMBER };  // and the two clocks

#define SWITCH_TO_STRUCTURE 255
#define FIELD 0x3f  // the bits of a change that say of what; the others say how

static size_t ask(const struct client *client, int port, char *to, size_t room) {
    char wish[64];
    int length = snprintf(wish, sizeof wish, "{\"room\":\"r%d\",\"seat\":%d}", client->table, client->seat);
    return (size_t)snprintf(to, room,
                            "POST /matchmake/joinOrCreate/stones HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                            "Content-Type: application/json\r\nAccept: application/json\r\nConnection: close\r\n"
                            "Content-Length: %d\r\n\r\n%s",
                            port, length, wish);
}

static bool find(const char *json, const char *key, char *to, size_t room) {
    char pattern[40];
    snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
    const char *start = strstr(json, pattern);
    if (!start) return false;
    start += strlen(pattern);
    const char *stop = strchr(start, '"');
    if (!stop) return false;
    copy((struct text){start, (size_t)(stop - start)}, to, room);
    return true;
}

static bool answered(struct client *client, const char *answer) {
    char process[48], room[48], session[48];
    if (!find(answer, "processId", process, sizeof process) || !find(answer, "roomId", room, sizeof room) ||
        !find(answer, "sessionId", session, sizeof session))
        return false;
    snprintf(client->path, sizeof client->path, "/%s/%s?sessionId=%s", process, room, session);
    return true;
}

static void entered(struct client *client) { (void)client; }  // the server speaks first

static void play(struct client *client, int cell) {
    struct out out = {.bytes = {ROOM_DATA}, .length = 1};
    put_text(&out, "move");
    put_map(&out, 1);
    put_text(&out, "cell");
    put_number(&out, cell);
    send_message(client, out.bytes, out.length);
}

static int64_t little_endian(const uint8_t *bytes, int count) {
    int64_t value = 0;
    while (count-- > 0) value = value << 8 | bytes[count];
    return value;
}

// Reads a patch: bytes that say which field changes, each with its new value. It begins with the state, which has the
// number 0, and switches to the array of cells and back. A patch has only what is different in the end, so one that
// clears the board tells of no stone.
static void patched(struct client *client, struct in in, size_t frame) {
    int64_t number = -1;
    int cell = -1, stones = 0;
    bool of_cells = false, changed[SIDE * SIDE] = {false};
    while (in.at < in.end && !in.bad) {
        int first = *in.at++;
        if (first == SWITCH_TO_STRUCTURE) {
            of_cells = take_number(&in) != 0;
        } else if (of_cells) {
            int64_t index = take_number(&in);
            int value = in.at < in.end ? *in.at++ : 0;
            if (index < 0 || index >= SIDE * SIDE) break;
            changed[index] = true;
            if (value) cell = (int)index;
            stones += value > 0;
        } else if ((first & FIELD) == CELLS) {
            take_number(&in);  // the array itself is new, and gets a number of its own
        } else {
            int size = (first & FIELD) == TURN ? 1 : 4;
            if (in.end - in.at < size) break;
            if ((first & FIELD) == NUMBER) number = little_endian(in.at, size);
            in.at += size;
        }
    }
    if (in.bad || in.at != in.end || stones > 1) wrong(client, "a patch that cannot be read");
    if (stones == 0 && changed[next_cell(client)]) cell = next_cell(client);
    updated(client, number, cell, frame);
}

static void received(struct client *client, const uint8_t *message, size_t length, size_t frame) {
    if (length == 0) return;
    switch (message[0] & 0x1f) {
        case JOIN_ROOM:
            if (client->stage == COMING) send_message(client, message, 1);
            break;
        case ROOM_STATE:
            arrived(client, client->seat);
            break;
        case ROOM_STATE_PATCH:
            patched(client, (struct in){message + 1, message + length, false}, frame);
            break;
        case ERROR:
            refused(client, (const char *)message + 1, (int)length - 1);
            break;
    }
}

const struct dialect COLYSEUS = {
    .name = "colyseus",
    .ask = ask,
    .answered = answered,
    .entered = entered,
    .received = received,
    .play = play,
};
