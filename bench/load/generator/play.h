// The tables: who sits there, whose move it is, when the next one is made, and whether everybody was told of each.
#ifndef PLAY_H
#define PLAY_H

#include "wire.h"

#define ROUND 60     // stones, then the board is cleared
#define KEPT 1024    // moves whose time of sending is remembered
#define SIDE 10

struct table {
    struct client *seats[2];
    uint32_t made;       // moves sent so far
    uint32_t in_game;    // of these, in the present game
    unsigned missing;    // clients who are not there
    uint64_t slot;       // the next place in the schedule, when moves are made at a fixed rate
    uint64_t sent[KEPT];
    uint32_t *told;      // how many have been told of each, where somebody watches
    uint32_t told_all;   // moves that everybody has been told of
    uint32_t clients;
};

struct plan {
    int tables;
    int watchers;    // of the first table
    double rate;     // moves a second at all tables together; 0: each as soon as the last one was seen
    int window;      // moves that the slowest watcher may be behind, without a rate
    int choices;     // whether players are told what they may pick, as people are; Parlour only
    uint32_t game;   // moves of a game, after which the same two begin another one; 0: it never ends
};

struct counts {
    uint64_t moves;       // made
    uint64_t deliveries;  // of updates
    uint64_t update_bytes;
    uint64_t wrong;       // updates with another number or another move than the next one
    uint64_t refused;     // commands
    uint64_t answered;
    uint64_t late;        // moves that could not be made when they were due
};

extern struct plan plan;
extern struct table *tables;
extern struct client *clients;
extern unsigned clients_there;
extern struct counts counts;

void set_tables(void);
void begin(uint64_t now);  // from now on moves are made
void end(void);
uint64_t next_slot_at(void);     // when the next move of the schedule is due
void make_due(uint64_t now);     // the moves of the schedule that are
unsigned stalled(void);          // tables where somebody was not told of the last move

// For the dialects.
void arrived(struct client *client, int seat);
void departed(struct client *client);  // for the next game
// An update came: the number of its move, from 1 on, and the cell.
void updated(struct client *client, int64_t number, int cell, size_t frame);
void wrong(const struct client *client, const char *what);
void refused(const struct client *client, const char *text, int length);
struct client *opponent(const struct client *client);
void name_cell(int cell, char *to);  // “c4”
int cell_named(const char *name, size_t length);
int next_cell(const struct client *client);  // of the next move that this client will be told of

#endif
