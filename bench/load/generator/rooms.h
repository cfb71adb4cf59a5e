// The rooms: who plays in them, when the next move is made, and whether every client received every update.
#ifndef ROOMS_H
#define ROOMS_H

#include "websocket.h"

#define SIDE 10             // of the board
#define MOVES_PER_ROUND 60  // after which the board is cleared
#define TRACKED_MOVES 1024  // moves per room whose times and deliveries are remembered

struct room {
    struct client *players[2];
    uint32_t moves;          // sent so far
    uint32_t moves_in_game;  // of these, in the current game
    unsigned missing;        // clients that have not joined
    uint64_t slot;           // the next slot in the schedule, at a fixed rate
    uint64_t sent_at[TRACKED_MOVES];
    uint32_t *deliveries;      // of each tracked move; NULL if the room has no spectators
    uint32_t fully_delivered;  // moves that every client has received
    uint32_t clients;
};

struct workload {
    int rooms;
    int spectators;           // in the first room
    double rate;              // moves per second in all rooms together; 0: as fast as the players can
    int window;               // moves that the slowest spectator may be behind, without a rate
    bool choices;             // whether players ask for their choices, as human players do; Parlour only
    uint32_t moves_per_game;  // after which the players have a rematch; 0: a game never ends
};

struct counts {
    uint64_t moves;       // sent
    uint64_t deliveries;  // updates received
    uint64_t update_bytes;
    uint64_t mismatched;    // updates that are not about the next move
    uint64_t refused;       // commands
    uint64_t acknowledged;  // commands
    uint64_t late;          // moves sent after they were due
};

extern struct workload workload;
extern struct room *rooms;
extern struct client *clients;
extern unsigned clients_joined;
extern struct counts counts;

void set_up_rooms(void);
void start_moves(uint64_t now);
void stop_moves(void);
uint64_t next_slot_at(void);  // when the next move is due, at a fixed rate
void make_due_moves(uint64_t now);
unsigned stalled_rooms(void);  // rooms where a client did not receive the last move

// Called by the protocols.
void joined(struct client *client, int seat);
void left(struct client *client);  // to join the room of the next game
void updated(struct client *client, int64_t number, int cell, size_t frame_size);  // numbers start at 1
void mismatched(const struct client *client, const char *problem);
void refused(const struct client *client, const char *reason, int length);
struct client *opponent_of(const struct client *client);
int expected_cell(const struct client *client);  // of the next move that the client will receive
void format_cell(int cell, char *to);            // "c4"
int parse_cell(const char *name, size_t length);

#endif
