#define _GNU_SOURCE
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define BINARY 0x2
#define TEXT 0x1
#define CLOSE 0x8
#define PING 0x9
#define PONG 0xa
#define TOLD 5  // losses that are told in words

uint64_t bytes_received, bytes_sent, frames_received;
unsigned clients_lost;

const struct dialect *speaks;
static int port;
static int poller = -1;
static uint8_t buffer[1 << 20];

void open_wire(const struct dialect *dialect, int at_port) {
    speaks = dialect;
    port = at_port;
    poller = epoll_create1(EPOLL_CLOEXEC);
}

int poll_handle(void) { return poller; }

void lose(struct client *client, const char *why) {
    if (client->stage == LOST) return;
    if (clients_lost++ < TOLD)
        fprintf(stderr, "table %d, seat %d, stage %d: %s\n", client->table, client->seat, client->stage, why);
    client->stage = LOST;
    close(client->fd);
    client->fd = -1;
}

// -- sending

static void send_bytes(struct client *client, const void *bytes, size_t length) {
    if (client->stage == LOST) return;
    bytes_sent += length;
    // Nothing that is sent here comes near to what a socket takes at once.
    if (send(client->fd, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) lose(client, "cannot send");
}

static void send_frame(struct client *client, int kind, const void *payload, size_t length) {
    static const uint8_t MASK[4] = {0x5a, 0x13, 0xc7, 0x2e};
    uint8_t frame[1024];
    size_t at = 0;
    if (length > sizeof frame - 8) {
        lose(client, "a message of our own is too long");
        return;
    }
    frame[at++] = (uint8_t)(0x80 | kind);
    if (length < 126) {
        frame[at++] = (uint8_t)(0x80 | length);
    } else {
        frame[at++] = 0x80 | 126;
        frame[at++] = (uint8_t)(length >> 8);
        frame[at++] = (uint8_t)length;
    }
    memcpy(frame + at, MASK, 4);
    at += 4;
    for (size_t i = 0; i < length; i++) frame[at++] = ((const uint8_t *)payload)[i] ^ MASK[i & 3];
    send_bytes(client, frame, at);
}

void send_message(struct client *client, const void *message, size_t length) {
    send_frame(client, BINARY, message, length);
}

// -- connecting

static void wait_for(struct client *client, uint32_t events, int change) {
    struct epoll_event event = {.events = events, .data.u32 = client->number};
    epoll_ctl(poller, change, client->fd, &event);
}

static void dial(struct client *client, enum stage stage) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    client->stage = stage;
    client->connecting = true;
    client->rest_length = 0;
    if (client->fd < 0) {
        lose(client, strerror(errno));
        return;
    }
    int on = 1;
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(client->fd, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS) {
        lose(client, strerror(errno));
        return;
    }
    wait_for(client, EPOLLIN | EPOLLOUT, EPOLL_CTL_ADD);
}

void connect_client(struct client *client) { dial(client, speaks->ask ? ASKING : OPENING); }

static void send_request(struct client *client) {
    char request[1024];
    size_t length;
    if (client->stage == ASKING) {
        length = speaks->ask(client, port, request, sizeof request);
    } else {
        length = (size_t)snprintf(
            request, sizeof request,
            "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s%s%s\r\n",
            client->path[0] ? client->path : speaks->path, port, speaks->subprotocol ? "Sec-WebSocket-Protocol: " : "",
            speaks->subprotocol ? speaks->subprotocol : "", speaks->subprotocol ? "\r\n" : "");
    }
    send_bytes(client, request, length);
}

// -- receiving

// Cuts frames out of what came, and gives back how much of it they were.
static size_t cut(struct client *client, const uint8_t *data, size_t length) {
    size_t start = 0;
    while (length - start >= 2 && client->stage != LOST) {
        const uint8_t *head = data + start;
        size_t size = head[1] & 0x7f, body = 2;
        if (size == 126) {
            body = 4;
            if (length - start < body) break;
            size = (size_t)(head[2] << 8 | head[3]);
        } else if (size == 127) {
            body = 10;
            if (length - start < body) break;
            size = 0;
            for (int i = 2; i < 10; i++) size = size << 8 | head[i];
        }
        if (length - start < body + size) break;
        int kind = head[0] & 0x0f;
        if (kind == BINARY || kind == TEXT) {
            frames_received++;
            speaks->received(client, head + body, size, body + size);
        } else if (kind == PING) {
            send_frame(client, PONG, head + body, size);
        } else if (kind == CLOSE) {
            lose(client, "the server has closed the connection");
        }
        start += body + size;
    }
    return start;
}

// Keeps what is not complete yet; a zero stands behind it, for those who look for text in it.
static void keep(struct client *client, const uint8_t *data, size_t length) {
    if (client->rest_length + length + 1 > client->rest_room) {
        client->rest_room = 2 * (client->rest_length + length + 1);
        client->rest = realloc(client->rest, client->rest_room);
    }
    memcpy(client->rest + client->rest_length, data, length);
    client->rest_length += length;
    client->rest[client->rest_length] = 0;
}

static void drop_from_rest(struct client *client, size_t length) {
    client->rest_length -= length;
    memmove(client->rest, client->rest + length, client->rest_length);
}

static void receive_answer(struct client *client, const uint8_t *data, ssize_t length) {
    if (length > 0) keep(client, data, (size_t)length);
    char *body = client->rest_length ? strstr((char *)client->rest, "\r\n\r\n") : NULL;
    if (body && speaks->answered(client, body)) {
        close(client->fd);
        dial(client, OPENING);
    } else if (length <= 0) {
        lose(client, client->rest_length ? (char *)client->rest : "no answer to the request");
    }
}

static void receive_handshake(struct client *client, const uint8_t *data, size_t length) {
    keep(client, data, length);
    char *end = strstr((char *)client->rest, "\r\n\r\n");
    if (!end) return;
    if (strncmp((char *)client->rest, "HTTP/1.1 101", 12) != 0) {
        lose(client, (char *)client->rest);
        return;
    }
    drop_from_rest(client, (size_t)(end + 4 - (char *)client->rest));
    client->stage = COMING;
    speaks->entered(client);
    drop_from_rest(client, cut(client, client->rest, client->rest_length));
}

static void receive(struct client *client) {
    ssize_t length = recv(client->fd, buffer, sizeof buffer, 0);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (client->stage == ASKING) {
        receive_answer(client, buffer, length);
        return;
    }
    if (length <= 0) {
        lose(client, length ? strerror(errno) : "the connection has ended");
        return;
    }
    bytes_received += (uint64_t)length;
    if (client->stage == OPENING) {
        receive_handshake(client, buffer, (size_t)length);
    } else if (client->rest_length) {
        keep(client, buffer, (size_t)length);
        drop_from_rest(client, cut(client, client->rest, client->rest_length));
    } else {
        size_t used = cut(client, buffer, (size_t)length);
        if (used < (size_t)length && client->stage != LOST) keep(client, buffer + used, (size_t)length - used);
    }
}

void serve_client(struct client *client, uint32_t events) {
    if (client->stage == LOST || client->fd < 0) return;
    if (client->connecting && events & (EPOLLOUT | EPOLLERR)) {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(client->fd, SOL_SOCKET, SO_ERROR, &error, &size);
        if (error) {
            lose(client, strerror(error));
            return;
        }
        client->connecting = false;
        wait_for(client, EPOLLIN, EPOLL_CTL_MOD);
        send_request(client);
    } else if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        receive(client);
    }
}
