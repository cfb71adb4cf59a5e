// Clients and their WebSockets.
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stage {
    ABSENT,   // not connected yet
    ASKING,   // an HTTP request that has to be answered before the WebSocket is opened
    OPENING,  // the handshake
    COMING,   // connected, and on the way to a table
    THERE,    // at the table
    LOST
};

struct client {
    uint32_t number;  // among all clients
    int fd;
    enum stage stage;
    bool connecting;
    int table;      // which one it belongs to
    int seat;       // 0 or 1; -1: watches
    uint32_t seen;  // updates that came so far
    uint8_t *rest;  // the beginning of a frame or of an answer that is not complete
    size_t rest_length, rest_room;
    char path[200];  // of the WebSocket
    // For the dialects that need it:
    char room[28];
    char seek[40];
    bool welcomed;
    int64_t epoch, seq;
    int64_t asked;  // the id of the newest command
};

// How a kind of server is spoken to. Only `entered`, `received` and `play` are always there.
struct dialect {
    const char *name;
    const char *path;
    const char *subprotocol;
    // An HTTP request before the WebSocket: writes it, and reads the answer, from which it makes the path.
    size_t (*ask)(const struct client *client, int port, char *to, size_t room);
    bool (*answered)(struct client *client, const char *answer);
    void (*entered)(struct client *client);
    // `frame` is the size of the whole frame.
    void (*received)(struct client *client, const uint8_t *message, size_t length, size_t frame);
    void (*play)(struct client *client, int cell);
};

extern const struct dialect PARLOUR, PLAIN, COLYSEUS;
extern const struct dialect *speaks;  // the one that is used

// What has come and gone on all connections since somebody last set it to 0.
extern uint64_t bytes_received, bytes_sent, frames_received;
extern unsigned clients_lost;

void open_wire(const struct dialect *dialect, int port);
void connect_client(struct client *client);
void serve_client(struct client *client, uint32_t events);  // something has happened on its socket
void send_message(struct client *client, const void *message, size_t length);
void lose(struct client *client, const char *why);

// The epoll instance. It gives back the number of a client that has something to serve.
int poll_handle(void);

#endif
