#define _GNU_SOURCE
#include "websocket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum opcode { TEXT = 0x1, BINARY = 0x2, CLOSE = 0x8, PING = 0x9, PONG = 0xa };

#define MAX_REPORTS 5  // lost connections that are described on stderr

uint64_t bytes_received, bytes_sent, frames_received;
unsigned clients_lost;

const struct protocol *protocol;
static int port;
static int epoll = -1;
static uint8_t buffer[1 << 20];

void set_up_connections(const struct protocol *with, int to_port) {
    protocol = with;
    port = to_port;
    epoll = epoll_create1(EPOLL_CLOEXEC);
}

int epoll_handle(void) { return epoll; }

void lose(struct client *client, const char *reason) {
    if (client->stage == LOST) return;
    if (clients_lost++ < MAX_REPORTS)
        fprintf(stderr, "room %d, seat %d, stage %d: %s\n", client->room, client->seat, client->stage, reason);
    client->stage = LOST;
    close(client->fd);
    client->fd = -1;
}

// -- sending

static void send_bytes(struct client *client, const void *bytes, size_t length) {
    if (client->stage == LOST) return;
    bytes_sent += length;
    // Messages are far smaller than a socket's send buffer, so there is no partial write to handle.
    if (send(client->fd, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) lose(client, "cannot send");
}

static void send_frame(struct client *client, enum opcode opcode, const void *payload, size_t length) {
    static const uint8_t MASK[4] = {0x5a, 0x13, 0xc7, 0x2e};
    uint8_t frame[1024];
    size_t at = 0;
    if (length > sizeof frame - 8) {
        lose(client, "a message to the server is too long");
        return;
    }
    frame[at++] = (uint8_t)(0x80 | opcode);
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

static void watch_events(struct client *client, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.u32 = client->index};
    epoll_ctl(epoll, operation, client->fd, &event);
}

static void connect_socket(struct client *client, enum stage stage) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    client->stage = stage;
    client->connecting = true;
    client->partial_length = 0;
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
    watch_events(client, EPOLLIN | EPOLLOUT, EPOLL_CTL_ADD);
}

void connect_client(struct client *client) {
    connect_socket(client, protocol->write_request ? REQUESTING : HANDSHAKING);
}

static void send_request(struct client *client) {
    char request[1024];
    size_t length;
    if (client->stage == REQUESTING) {
        length = protocol->write_request(client, port, request, sizeof request);
    } else {
        length = (size_t)snprintf(
            request, sizeof request,
            "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s%s%s\r\n",
            client->path[0] ? client->path : protocol->path, port,
            protocol->subprotocol ? "Sec-WebSocket-Protocol: " : "",
            protocol->subprotocol ? protocol->subprotocol : "", protocol->subprotocol ? "\r\n" : "");
    }
    send_bytes(client, request, length);
}

// -- receiving

// Handles all complete frames in the data, and returns how many bytes they take up.
static size_t handle_frames(struct client *client, const uint8_t *data, size_t length) {
    size_t start = 0;
    while (length - start >= 2 && client->stage != LOST) {
        const uint8_t *header = data + start;
        size_t size = header[1] & 0x7f, header_size = 2;
        if (size == 126) {
            header_size = 4;
            if (length - start < header_size) break;
            size = (size_t)(header[2] << 8 | header[3]);
        } else if (size == 127) {
            header_size = 10;
            if (length - start < header_size) break;
            size = 0;
            for (int i = 2; i < 10; i++) size = size << 8 | header[i];
        }
        if (length - start < header_size + size) break;
        const uint8_t *payload = header + header_size;
        enum opcode opcode = header[0] & 0x0f;
        if (opcode == BINARY || opcode == TEXT) {
            frames_received++;
            protocol->received(client, payload, size, header_size + size);
        } else if (opcode == PING) {
            send_frame(client, PONG, payload, size);
        } else if (opcode == CLOSE) {
            lose(client, "the server closed the connection");
        }
        start += header_size + size;
    }
    return start;
}

// Keeps incomplete data for later, terminated so that an HTTP response can be searched as a string.
static void keep_partial(struct client *client, const uint8_t *data, size_t length) {
    if (client->partial_length + length + 1 > client->partial_capacity) {
        client->partial_capacity = 2 * (client->partial_length + length + 1);
        client->partial = realloc(client->partial, client->partial_capacity);
    }
    memcpy(client->partial + client->partial_length, data, length);
    client->partial_length += length;
    client->partial[client->partial_length] = 0;
}

static void consume_partial(struct client *client, size_t length) {
    client->partial_length -= length;
    memmove(client->partial, client->partial + length, client->partial_length);
}

static void receive_response(struct client *client, const uint8_t *data, ssize_t length) {
    if (length > 0) keep_partial(client, data, (size_t)length);
    char *body = client->partial_length ? strstr((char *)client->partial, "\r\n\r\n") : NULL;
    if (body && protocol->read_response(client, body)) {
        close(client->fd);
        connect_socket(client, HANDSHAKING);
    } else if (length <= 0) {
        lose(client, client->partial_length ? (char *)client->partial : "no response to the HTTP request");
    }
}

static void receive_handshake(struct client *client, const uint8_t *data, size_t length) {
    keep_partial(client, data, length);
    char *end = strstr((char *)client->partial, "\r\n\r\n");
    if (!end) return;
    if (strncmp((char *)client->partial, "HTTP/1.1 101", 12) != 0) {
        lose(client, (char *)client->partial);
        return;
    }
    consume_partial(client, (size_t)(end + 4 - (char *)client->partial));
    client->stage = JOINING;
    protocol->opened(client);
    consume_partial(client, handle_frames(client, client->partial, client->partial_length));
}

static void receive(struct client *client) {
    ssize_t length = recv(client->fd, buffer, sizeof buffer, 0);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (client->stage == REQUESTING) {
        receive_response(client, buffer, length);
        return;
    }
    if (length <= 0) {
        lose(client, length ? strerror(errno) : "the connection ended");
        return;
    }
    bytes_received += (uint64_t)length;
    if (client->stage == HANDSHAKING) {
        receive_handshake(client, buffer, (size_t)length);
    } else if (client->partial_length) {
        keep_partial(client, buffer, (size_t)length);
        consume_partial(client, handle_frames(client, client->partial, client->partial_length));
    } else {
        size_t used = handle_frames(client, buffer, (size_t)length);
        if (used < (size_t)length && client->stage != LOST) keep_partial(client, buffer + used, (size_t)length - used);
    }
}

void handle_events(struct client *client, uint32_t events) {
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
        watch_events(client, EPOLLIN, EPOLL_CTL_MOD);
        send_request(client);
    } else if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        receive(client);
    }
}
