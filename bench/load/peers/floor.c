// The floor: the least that a server can do for the stand-in game. One thread, no safety net, nothing kept.
//
// Reads what a socket has, builds the frame of an update once, and sends it to each member of the room. It speaks as
// ws.mjs does (generator/plain.c tells how) and is only good for the load generator: it trusts what comes.
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

#include "../generator/pack.h"

#define CELLS 100
#define IN_A_ROUND 60
#define CLOCK 600000
#define MOST_CLIENTS 70000
#define MOST_ROOMS 20000

struct room {
    uint8_t cells[CELLS];
    int turn, stones;
    uint32_t moves;
    int64_t clocks[2], since;
    int *members;
    int count, space;
};

struct client {
    bool open;
    int seat;
    struct room *room;
};

static struct client clients[MOST_CLIENTS];
static struct room rooms[MOST_ROOMS];

static int64_t milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// -- the handshake

static uint32_t rotated(uint32_t word, int by) { return word << by | word >> (32 - by); }

// SHA-1 of less than 120 bytes, which is all that a handshake needs.
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
            const uint8_t *at = padded + block + 4 * i;
            words[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        }
        for (int i = 16; i < 80; i++)
            words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        for (int i = 0; i < 80; i++) {
            uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                             : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                             : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                      : (b ^ c ^ d) + 0xca62c1d6;
            uint32_t next = rotated(a, 5) + mixed + e + words[i];
            e = d, d = c, c = rotated(b, 30), b = a, a = next;
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

static bool shake_hands(int fd, const char *request) {
    char key[100], accept[29], answer[200];
    uint8_t digest[20];
    const char *start = strcasestr(request, "sec-websocket-key: ");
    if (!start || sscanf(start + 19, "%60s", key) != 1) return false;
    strcat(key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    sha1(key, strlen(key), digest);
    base64(digest, accept);
    int length = snprintf(answer, sizeof answer,
                          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Accept: %s\r\n\r\n",
                          accept);
    return send(fd, answer, (size_t)length, MSG_NOSIGNAL) == length;
}

// -- the game

static void clear(struct room *room) {
    memset(room->cells, 0, CELLS);
    room->turn = room->stones = 0;
    room->clocks[0] = room->clocks[1] = CLOCK;
    room->since = milliseconds();
}

static void put_standing(struct out *out, const char *name, const struct room *room, unsigned more) {
    put_map(out, 4 + more);
    put_text(out, "t");
    put_text(out, name);
    put_text(out, "n");
    put_number(out, room->moves);
    put_text(out, "turn");
    put_number(out, room->turn);
    put_text(out, "clocks");
    put_array(out, 2);
    put_number(out, room->clocks[0]);
    put_number(out, room->clocks[1]);
}

static size_t framed(const struct out *out, uint8_t *frame) {
    size_t head = 2;
    frame[0] = 0x82;
    if (out->length < 126) {
        frame[1] = (uint8_t)out->length;
    } else {
        frame[1] = 126;
        frame[2] = (uint8_t)(out->length >> 8);
        frame[3] = (uint8_t)out->length;
        head = 4;
    }
    memcpy(frame + head, out->bytes, out->length);
    return head + out->length;
}

static void join(int fd, int number, int seat) {
    struct room *room = clients[fd].room = &rooms[number % MOST_ROOMS];
    struct out out = {.length = 0};
    uint8_t frame[512];
    clients[fd].seat = seat;
    if (!room->space) clear(room);
    if (room->count == room->space) {
        room->space = room->space ? 2 * room->space : 2;
        room->members = realloc(room->members, (size_t)room->space * sizeof *room->members);
    }
    room->members[room->count++] = fd;
    put_standing(&out, "state", room, 1);
    put_text(&out, "cells");
    out.bytes[out.length++] = 0xc4;
    out.bytes[out.length++] = CELLS;
    memcpy(out.bytes + out.length, room->cells, CELLS);
    out.length += CELLS;
    send(fd, frame, framed(&out, frame), MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void move(int fd, int64_t cell) {
    struct room *room = clients[fd].room;
    int seat = clients[fd].seat;
    if (!room || seat != room->turn || cell < 0 || cell >= CELLS || room->cells[cell]) return;
    int64_t now = milliseconds();
    room->clocks[seat] -= now - room->since;
    room->since = now;
    room->cells[cell] = (uint8_t)(seat + 1);
    room->turn = 1 - seat;
    room->moves++;
    bool cleared = ++room->stones == IN_A_ROUND;
    if (cleared) clear(room);
    struct out out = {.length = 0};
    uint8_t frame[512];
    put_standing(&out, "diff", room, cleared ? 2 : 1);
    put_text(&out, "cell");
    put_number(&out, cell);
    if (cleared) {
        put_text(&out, "cleared");
        out.bytes[out.length++] = 0xc3;
    }
    size_t length = framed(&out, frame);
    for (int i = 0; i < room->count; i++) send(room->members[i], frame, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void take(int fd, const uint8_t *message, size_t length) {
    struct in in = {message, message + length, false};
    struct text t = {"", 0}, room = {"", 0};
    int64_t seat = -1, cell = -1;
    for (unsigned pairs = take_map(&in); pairs > 0 && !in.bad; pairs--) {
        struct text key = take_text(&in);
        if (is(key, "t"))
            t = take_text(&in);
        else if (is(key, "room"))
            room = take_text(&in);
        else if (is(key, "seat"))
            seat = take_number(&in);
        else if (is(key, "cell"))
            cell = take_number(&in);
        else
            skip(&in);
    }
    char number[24];
    copy(room, number, sizeof number);
    if (is(t, "move"))
        move(fd, cell);
    else if (is(t, "join"))
        join(fd, atoi(number + 1), (int)seat);
}

// -- the sockets

static void drop(int fd) {
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
        drop(fd);
        return;
    }
    if (!clients[fd].open) {
        buffer[length] = 0;
        clients[fd].open = shake_hands(fd, (char *)buffer);
        if (!clients[fd].open) drop(fd);
        return;
    }
    // The generator sends a message at a time and short ones only, so a frame never comes in two pieces.
    for (size_t start = 0; start + 6 <= (size_t)length;) {
        uint8_t *head = buffer + start, *mask = head + 2, *body = head + 6;
        size_t size = head[1] & 0x7f;
        if (size > 125 || start + 6 + size > (size_t)length) break;
        for (size_t i = 0; i < size; i++) body[i] ^= mask[i & 3];
        if ((head[0] & 0x0f) == 0x2) take(fd, body, size);
        start += 6 + size;
    }
}

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: floor PORT\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < MOST_CLIENTS ? files.rlim_max : MOST_CLIENTS;
    setrlimit(RLIMIT_NOFILE, &files);
    int on = 1, listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poller = epoll_create1(0);
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 4096)) {
        perror("floor");
        return 1;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listening}, events[512];
    epoll_ctl(poller, EPOLL_CTL_ADD, listening, &event);
    for (;;) {
        int ready = epoll_wait(poller, events, 512, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd != listening) {
                receive(events[i].data.fd);
                continue;
            }
            for (int fd; (fd = accept4(listening, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
                setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                clients[fd] = (struct client){.seat = -1};
                event.data.fd = fd;
                epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
            }
        }
    }
}
