// Clients and their WebSocket connections.
#ifndef WEBSOCKET_H
#define WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stage {
    NOT_CONNECTED,
    REQUESTING,   // an HTTP request that some protocols need before the WebSocket
    HANDSHAKING,  // the WebSocket handshake
    JOINING,      // connected, but not in its room yet
    JOINED,
    LOST
};

struct client {
    uint32_t index;  // among all clients
    int fd;
    enum stage stage;
    bool connecting;
    int room;          // its index
    int seat;          // 0 or 1; -1 for a spectator
    uint32_t updates;  // received so far
    uint8_t *partial;  // the start of a frame or an HTTP response that is not complete yet
    size_t partial_length, partial_capacity;
    char path[200];  // of the WebSocket, if the server chose it
    // Used by the Parlour protocol only:
    char room_id[28];
    char seek_id[40];
    bool welcomed;
    int64_t epoch, seq;
    int64_t command_id;  // of the latest command
};

// How to talk to one kind of server. `opened`, `received` and `play` are required.
struct protocol {
    const char *name;
    const char *path;
    const char *subprotocol;
    // The HTTP request before the WebSocket. `read_response` sets the client's path; it returns false on failure.
    size_t (*write_request)(const struct client *client, int port, char *to, size_t capacity);
    bool (*read_response)(struct client *client, const char *response);
    void (*opened)(struct client *client);
    // `frame_size` includes the frame header.
    void (*received)(struct client *client, const uint8_t *message, size_t length, size_t frame_size);
    void (*play)(struct client *client, int cell);
};

extern const struct protocol PARLOUR, PLAIN, COLYSEUS;
extern const struct protocol *protocol;  // the one in use

// Traffic of all connections since these were last set to 0.
extern uint64_t bytes_received, bytes_sent, frames_received;
extern unsigned clients_lost;

void set_up_connections(const struct protocol *with, int port);
void connect_client(struct client *client);
void handle_events(struct client *client, uint32_t events);  // from epoll
void send_message(struct client *client, const void *message, size_t length);
void lose(struct client *client, const char *reason);

// The epoll instance. The user data of its events is the index of a client.
int epoll_handle(void);

#endif
