// The floor: the least work that a server can do for the benchmark game. One thread, no error handling, no storage.
//
// It reads a socket, builds the frame of an update once, and sends it to each member of the room. It speaks the same
// protocol as ws.mjs (see generator/plain.c) and trusts its input, so only the load generator can use it.
//   floor PORT
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../generator/msgpack.h"

#define CELLS 100
#define MOVES_PER_ROUND 60
#define CLOCK_MS 600000
#define MAX_CLIENTS 70000
#define MAX_ROOMS 20000

struct room {
    uint8_t cells[CELLS];
    int turn, placed;
    uint32_t moves;
    int64_t clocks[2], turn_started;
    int *members;
    int count, capacity;
};

struct client {
    bool open;
    int seat;
    struct room *room;
};

static struct client clients[MAX_CLIENTS];
static struct room rooms[MAX_ROOMS];

static int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// -- the handshake

static uint32_t rotate_left(uint32_t word, int by) { return word << by | word >> (32 - by); }

// SHA-1 of up to 119 bytes, which is enough for a handshake.
static void sha1(const char *text, size_t length, uint8_t digest[20]) {
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t padded[128] = {0};
    size_t size = length < 56 ? 64 : 128;
    memcpy(padded, text, length);
    padded[length] = 0x80;
    padded[size - 2] = (uint8_t)(length * 8 >> 8);
    padded[size - 1] = (uint8_t)(length * 8);
    for (size_t block = 0; block < size; block += 64) {
        uint32_t words[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        for (int i = 0; i < 16; i++) {
            const uint8_t *bytes = padded + block + 4 * i;
            words[i] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
        }
        for (int i = 16; i < 80; i++)
            words[i] = rotate_left(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        for (int i = 0; i < 80; i++) {
            uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                             : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                             : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                      : (b ^ c ^ d) + 0xca62c1d6;
            uint32_t next = rotate_left(a, 5) + mixed + e + words[i];
            e = d, d = c, c = rotate_left(b, 30), b = a, a = next;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
    }
    for (int i = 0; i < 20; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - i % 4 * 8));
}

static void base64(const uint8_t bytes[20], char to[29]) {
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 7; i++) {
        uint32_t three = (uint32_t)bytes[3 * i] << 16 | (uint32_t)bytes[3 * i + 1] << 8;
        if (i < 6) three |= bytes[3 * i + 2];
        for (int j = 0; j < 4; j++) to[4 * i + j] = LETTERS[three >> (18 - 6 * j) & 63];
    }
    to[27] = '=';
    to[28] = 0;
}

static bool accept_handshake(int fd, const char *request) {
    char key[100], accept[29], response[200];
    uint8_t digest[20];
    const char *start = strcasestr(request, "sec-websocket-key: ");
    if (!start || sscanf(start + 19, "%60s", key) != 1) return false;
    strcat(key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    sha1(key, strlen(key), digest);
    base64(digest, accept);
    int length = snprintf(response, sizeof response,
                          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Accept: %s\r\n\r\n",
                          accept);
    return send(fd, response, (size_t)length, MSG_NOSIGNAL) == length;
}

// -- the game

static void start_round(struct room *room) {
    memset(room->cells, 0, CELLS);
    room->turn = room->placed = 0;
    room->clocks[0] = room->clocks[1] = CLOCK_MS;
    room->turn_started = now_ms();
}

static void write_position(struct writer *writer, const char *type, const struct room *room, unsigned fields) {
    write_map(writer, 4 + fields);
    write_string(writer, "t");
    write_string(writer, type);
    write_string(writer, "n");
    write_int(writer, room->moves);
    write_string(writer, "turn");
    write_int(writer, room->turn);
    write_string(writer, "clocks");
    write_array(writer, 2);
    write_int(writer, room->clocks[0]);
    write_int(writer, room->clocks[1]);
}

static size_t build_frame(const struct writer *writer, uint8_t *frame) {
    size_t header = 2;
    frame[0] = 0x82;
    if (writer->length < 126) {
        frame[1] = (uint8_t)writer->length;
    } else {
        frame[1] = 126;
        frame[2] = (uint8_t)(writer->length >> 8);
        frame[3] = (uint8_t)writer->length;
        header = 4;
    }
    memcpy(frame + header, writer->bytes, writer->length);
    return header + writer->length;
}

static void join(int fd, int index, int seat) {
    struct room *room = clients[fd].room = &rooms[index % MAX_ROOMS];
    struct writer writer = {.length = 0};
    uint8_t frame[512];
    clients[fd].seat = seat;
    if (!room->capacity) start_round(room);
    if (room->count == room->capacity) {
        room->capacity = room->capacity ? 2 * room->capacity : 2;
        room->members = realloc(room->members, (size_t)room->capacity * sizeof *room->members);
    }
    room->members[room->count++] = fd;
    write_position(&writer, "state", room, 1);
    write_string(&writer, "cells");
    writer.bytes[writer.length++] = 0xc4;
    writer.bytes[writer.length++] = CELLS;
    memcpy(writer.bytes + writer.length, room->cells, CELLS);
    writer.length += CELLS;
    send(fd, frame, build_frame(&writer, frame), MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void move(int fd, int64_t cell) {
    struct room *room = clients[fd].room;
    int seat = clients[fd].seat;
    if (!room || seat != room->turn || cell < 0 || cell >= CELLS || room->cells[cell]) return;
    int64_t now = now_ms();
    room->clocks[seat] -= now - room->turn_started;
    room->turn_started = now;
    room->cells[cell] = (uint8_t)(seat + 1);
    room->turn = 1 - seat;
    room->moves++;
    bool cleared = ++room->placed == MOVES_PER_ROUND;
    if (cleared) start_round(room);
    struct writer writer = {.length = 0};
    uint8_t frame[512];
    write_position(&writer, "diff", room, cleared ? 2 : 1);
    write_string(&writer, "cell");
    write_int(&writer, cell);
    if (cleared) {
        write_string(&writer, "cleared");
        write_bool(&writer, true);
    }
    size_t length = build_frame(&writer, frame);
    for (int i = 0; i < room->count; i++) send(room->members[i], frame, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void handle_message(int fd, const uint8_t *message, size_t length) {
    struct reader reader = {message, message + length, false};
    struct slice type = {"", 0}, room = {"", 0};
    int64_t seat = -1, cell = -1;
    for (unsigned pairs = read_map(&reader); pairs > 0 && !reader.bad; pairs--) {
        struct slice key = read_string(&reader);
        if (equals(key, "t"))
            type = read_string(&reader);
        else if (equals(key, "room"))
            room = read_string(&reader);
        else if (equals(key, "seat"))
            seat = read_int(&reader);
        else if (equals(key, "cell"))
            cell = read_int(&reader);
        else
            skip_value(&reader);
    }
    char name[24];
    copy_string(room, name, sizeof name);
    if (equals(type, "move"))
        move(fd, cell);
    else if (equals(type, "join"))
        join(fd, atoi(name + 1), (int)seat);
}

// -- the sockets

static void disconnect(int fd) {
    struct room *room = clients[fd].room;
    for (int i = 0; room && i < room->count; i++)
        if (room->members[i] == fd) room->members[i--] = room->members[--room->count];
    close(fd);
}

static void receive(int fd) {
    static uint8_t buffer[1 << 16];
    ssize_t length = recv(fd, buffer, sizeof buffer - 1, 0);
    if (length < 0 && errno == EAGAIN) return;
    if (length <= 0) {
        disconnect(fd);
        return;
    }
    if (!clients[fd].open) {
        buffer[length] = 0;
        clients[fd].open = accept_handshake(fd, (char *)buffer);
        if (!clients[fd].open) disconnect(fd);
        return;
    }
    // The generator sends short messages, each in one write, so a frame never arrives in pieces.
    for (size_t start = 0; start + 6 <= (size_t)length;) {
        uint8_t *header = buffer + start, *mask = header + 2, *payload = header + 6;
        size_t size = header[1] & 0x7f;
        if (size > 125 || start + 6 + size > (size_t)length) break;
        for (size_t i = 0; i < size; i++) payload[i] ^= mask[i & 3];
        if ((header[0] & 0x0f) == 0x2) handle_message(fd, payload, size);
        start += 6 + size;
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: floor PORT\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < MAX_CLIENTS ? files.rlim_max : MAX_CLIENTS;
    setrlimit(RLIMIT_NOFILE, &files);
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), epoll = epoll_create1(0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) {
        perror("floor");
        return 1;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[512];
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int ready = epoll_wait(epoll, events, 512, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd != listener) {
                receive(events[i].data.fd);
                continue;
            }
            for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
                setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                clients[fd] = (struct client){.seat = -1};
                event.data.fd = fd;
                epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
            }
        }
    }
}
