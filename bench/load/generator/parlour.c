// How to speak to Parlour: docs/protocol.md, in MessagePack.
#include <stdio.h>
#include <string.h>

#include "pack.h"
#include "play.h"

#define CLOCK 600000  // milliseconds for each side, as in the other systems
#define STEP 1000     // and so much more after each move, since a game here may last longer than a round

// What is of interest in the maps that a server sends.
struct news {
    struct text t, room, seek, what, next, text;
    int64_t epoch, seq, seat;
};

static void ask(struct client *client, struct out *out, const char *what, unsigned more) {
    put_map(out, 2 + more);
    put_text(out, "t");
    put_text(out, what);
    put_text(out, "id");
    put_number(out, ++client->asked);
}

static void put_room(struct out *out, const char *room) {
    put_text(out, "room");
    put_text(out, room);
}

// -- what is sent

static void entered(struct client *client) {
    struct out out = {.length = 0};
    put_map(&out, 3);
    put_text(&out, "t");
    put_text(&out, "hello");
    put_text(&out, "client");
    put_text(&out, "parlour bench");
    put_text(&out, "choices");
    put_truth(&out, plan.choices);
    send_message(client, out.bytes, out.length);
}

static void challenge(struct client *client) {
    struct out out = {.length = 0};
    ask(client, &out, "challenge", 2);
    put_text(&out, "seat");
    put_text(&out, "first");
    put_text(&out, "terms");
    put_map(&out, 3);
    put_text(&out, "game");
    put_text(&out, "stones");
    put_text(&out, "options");
    put_map(&out, 1);
    put_text(&out, "rounds");
    put_number(&out, plan.game / ROUND);
    put_text(&out, "clock");
    put_map(&out, 3);
    put_text(&out, "kind");
    put_text(&out, "fischer");
    put_text(&out, "main");
    put_number(&out, CLOCK);
    put_text(&out, "step");
    put_number(&out, STEP);
    send_message(client, out.bytes, out.length);
}

static void accept_from(struct client *host) {
    struct client *guest = opponent(host);
    struct out out = {.length = 0};
    if (!host->seek[0] || !guest->welcomed) return;
    ask(guest, &out, "accept", 1);
    put_text(&out, "seek");
    put_text(&out, host->seek);
    send_message(guest, out.bytes, out.length);
}

static void about_room(struct client *client, const char *command, const char *room) {
    struct out out = {.length = 0};
    ask(client, &out, command, 1);
    put_room(&out, room);
    send_message(client, out.bytes, out.length);
}

static void offer_rematch(struct client *client) {
    struct out out = {.length = 0};
    ask(client, &out, "offer", 2);
    put_room(&out, client->room);
    put_text(&out, "what");
    put_text(&out, "rematch");
    send_message(client, out.bytes, out.length);
}

static void play(struct client *client, int cell) {
    struct out out = {.length = 0};
    char name[8];
    name_cell(cell, name);
    ask(client, &out, "play", 3);
    put_room(&out, client->room);
    put_text(&out, "ply");
    put_number(&out, tables[client->table].in_game - 1);
    put_text(&out, "move");
    put_text(&out, name);
    send_message(client, out.bytes, out.length);
}

// -- what comes

// The next number of the room: every update has one more than the one before.
static bool in_step(struct client *client, struct text room, int64_t epoch, int64_t seq) {
    if (!is(room, client->room)) return false;  // the last words from the room of the game before
    if (epoch != client->epoch || seq != client->seq + 1) wrong(client, "an update has not the next seq");
    client->seq = seq;
    return true;
}

static void moved(struct client *client, struct in in, size_t frame) {
    take_array(&in);
    int64_t tag = take_number(&in);
    struct text room = take_text(&in);
    int64_t epoch = take_number(&in), seq = take_number(&in);
    take_number(&in);  // the hash
    struct text move = take_text(&in);
    skip(&in);  // the clock
    skip(&in);  // the change
    if (in.bad || tag != 0 || in.at != in.end) wrong(client, "a moved that cannot be read");
    if (!in_step(client, room, epoch, seq)) {
        wrong(client, "a move in another room");
        return;
    }
    updated(client, (int64_t)client->seen + 1, cell_named(move.start, move.length), frame);
}

static void happened(struct client *client, const struct news *news) {
    if (!in_step(client, news->room, news->epoch, news->seq)) return;
    if (is(news->what, "ended")) {
        if (client->seat == 0) offer_rematch(client);
    } else if (is(news->what, "offered")) {
        if (client->seat == 1) offer_rematch(client);  // which accepts
    } else if (is(news->what, "rematch")) {
        departed(client);
        about_room(client, "leave", client->room);
        copy(news->next, client->room, sizeof client->room);
        about_room(client, "join", client->room);
    }
}

static void welcome(struct client *client) {
    client->welcomed = true;
    if (client->seat == 0) {
        challenge(client);
    } else if (client->seat == 1) {
        accept_from(opponent(client));
    } else {
        strcpy(client->room, tables[client->table].seats[0]->room);
        about_room(client, "join", client->room);
    }
}

static struct news read_news(struct in *in) {
    struct news news = {.seat = -1};
    for (unsigned pairs = take_map(in); pairs > 0 && !in->bad; pairs--) {
        struct text key = take_text(in);
        if (is(key, "t")) {
            news.t = take_text(in);
            if (is(news.t, "choices") || is(news.t, "presence")) return news;  // we choose by ourselves
        } else if (take_nil(in)) {
            continue;
        } else if (is(key, "room")) {
            news.room = take_text(in);
        } else if (is(key, "seek")) {
            news.seek = take_text(in);
        } else if (is(key, "what")) {
            news.what = take_text(in);
        } else if (is(key, "next")) {
            news.next = take_text(in);
        } else if (is(key, "text")) {
            news.text = take_text(in);
        } else if (is(key, "epoch")) {
            news.epoch = take_number(in);
        } else if (is(key, "seq")) {
            news.seq = take_number(in);
        } else if (is(key, "seat")) {
            news.seat = take_number(in);
        } else {
            skip(in);
        }
    }
    return news;
}

static void received(struct client *client, const uint8_t *message, size_t length, size_t frame) {
    struct in in = {message, message + length, false};
    if (length && (*message & 0xf0) == 0x90) {
        moved(client, in, frame);
        return;
    }
    struct news news = read_news(&in);
    if (in.bad) {
        wrong(client, "a message that cannot be read");
    } else if (is(news.t, "ok")) {
        counts.answered++;
        if (client->stage == COMING && client->seat == 0 && news.seek.length && !client->seek[0]) {
            copy(news.seek, client->seek, sizeof client->seek);
            accept_from(client);
        }
    } else if (is(news.t, "happened")) {
        happened(client, &news);
    } else if (is(news.t, "welcome")) {
        welcome(client);
    } else if (is(news.t, "paired")) {
        if (client->stage == COMING && !client->room[0]) {
            copy(news.room, client->room, sizeof client->room);
            about_room(client, "join", client->room);
        }
    } else if (is(news.t, "room")) {
        if (client->stage == THERE) wrong(client, "the whole room came where an update should have come");
        counts.answered++;
        client->epoch = news.epoch;
        client->seq = news.seq;
        arrived(client, (int)news.seat);
    } else if (is(news.t, "refused")) {
        counts.answered++;
        refused(client, news.text.start, (int)news.text.length);
    }
}

const struct dialect PARLOUR = {
    .name = "parlour",
    .path = "/ws",
    .subprotocol = "parlour.v1+msgpack",
    .entered = entered,
    .received = received,
    .play = play,
};
