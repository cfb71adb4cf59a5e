// The protocol of Colyseus: matchmaking over HTTP, then its room protocol with patches of a schema.
#include <stdio.h>
#include <string.h>

#include "msgpack.h"
#include "rooms.h"

enum code { JOIN_ROOM = 10, ERROR = 11, ROOM_DATA = 13, ROOM_STATE = 14, ROOM_STATE_PATCH = 15 };

// The fields of the state, in the order of peers/colyseus.mjs. The two clocks follow.
enum field { CELLS, TURN, MOVES };

#define SWITCH_TO_STRUCTURE 255
#define FIELD_MASK 0x3f  // the bits of a change that name the field; the others name the operation

static size_t write_request(const struct client *client, int port, char *to, size_t capacity) {
    char options[64];
    int length = snprintf(options, sizeof options, "{\"room\":\"r%d\",\"seat\":%d}", client->room, client->seat);
    return (size_t)snprintf(to, capacity,
                            "POST /matchmake/joinOrCreate/placement HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                            "Content-Type: application/json\r\nAccept: application/json\r\nConnection: close\r\n"
                            "Content-Length: %d\r\n\r\n%s",
                            port, length, options);
}

static bool find_string(const char *json, const char *key, char *to, size_t capacity) {
    char pattern[40];
    snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
    const char *start = strstr(json, pattern);
    if (!start) return false;
    start += strlen(pattern);
    const char *end = strchr(start, '"');
    if (!end) return false;
    copy_string((struct slice){start, (size_t)(end - start)}, to, capacity);
    return true;
}

static bool read_response(struct client *client, const char *response) {
    char process[48], room[48], session[48];
    if (!find_string(response, "processId", process, sizeof process) ||
        !find_string(response, "roomId", room, sizeof room) ||
        !find_string(response, "sessionId", session, sizeof session))
        return false;
    snprintf(client->path, sizeof client->path, "/%s/%s?sessionId=%s", process, room, session);
    return true;
}

static void opened(struct client *client) { (void)client; }  // the server sends the first message

static void play(struct client *client, int cell) {
    struct writer writer = {.bytes = {ROOM_DATA}, .length = 1};
    write_string(&writer, "move");
    write_map(&writer, 1);
    write_string(&writer, "cell");
    write_int(&writer, cell);
    send_message(client, writer.bytes, writer.length);
}

static int64_t little_endian(const uint8_t *bytes, int count) {
    int64_t value = 0;
    while (count-- > 0) value = value << 8 | bytes[count];
    return value;
}

// Reads a patch: a sequence of changes, each with the field and its new value. It starts with the fields of the state,
// which is structure 0, and switches to the array of cells and back. A patch only has values that differ in the end, so
// the one that clears the board has no placed piece.
static void patched(struct client *client, struct reader reader, size_t frame_size) {
    int64_t number = -1;
    int cell = -1, placed = 0;
    bool in_cells = false, changed[SIDE * SIDE] = {false};
    while (reader.at < reader.end && !reader.bad) {
        int first = *reader.at++;
        if (first == SWITCH_TO_STRUCTURE) {
            in_cells = read_int(&reader) != 0;
        } else if (in_cells) {
            int64_t index = read_int(&reader);
            int value = reader.at < reader.end ? *reader.at++ : 0;
            if (index < 0 || index >= SIDE * SIDE) break;
            changed[index] = true;
            if (value) cell = (int)index;
            placed += value > 0;
        } else if ((first & FIELD_MASK) == CELLS) {
            read_int(&reader);  // the number of a new array
        } else {
            int size = (first & FIELD_MASK) == TURN ? 1 : 4;
            if (reader.end - reader.at < size) break;
            if ((first & FIELD_MASK) == MOVES) number = little_endian(reader.at, size);
            reader.at += size;
        }
    }
    if (reader.bad || reader.at != reader.end || placed > 1) mismatched(client, "a malformed patch");
    if (placed == 0 && changed[expected_cell(client)]) cell = expected_cell(client);
    updated(client, number, cell, frame_size);
}

static void received(struct client *client, const uint8_t *message, size_t length, size_t frame_size) {
    if (length == 0) return;
    switch (message[0] & 0x1f) {
        case JOIN_ROOM:
            if (client->stage == JOINING) send_message(client, message, 1);
            break;
        case ROOM_STATE:
            joined(client, client->seat);
            break;
        case ROOM_STATE_PATCH:
            patched(client, (struct reader){message + 1, message + length, false}, frame_size);
            break;
        case ERROR:
            refused(client, (const char *)message + 1, (int)length - 1);
            break;
    }
}

const struct protocol COLYSEUS = {
    .name = "colyseus",
    .write_request = write_request,
    .read_response = read_response,
    .opened = opened,
    .received = received,
    .play = play,
};
