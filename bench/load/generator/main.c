// A load generator for board game servers: many clients in one thread, one line of JSON at the end.
//
// It brings players and watchers to their tables, has them play the stand-in game for a while, checks every update
// that comes, and measures times, bytes, and the CPU time and memory of the server's process.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "measure.h"
#include "play.h"
#include "wire.h"

#define TIMER UINT32_MAX
#define AT_ONCE 64       // clients that are on their way to a table
#define SETUP_WITHIN 90  // seconds
#define WARM_WITHIN 20   // seconds
#define DRAIN_WITHIN 20  // seconds after the last move, for updates that are still to come

static const struct dialect *const DIALECTS[] = {&PARLOUR, &PLAIN, &COLYSEUS};

static struct {
    const struct dialect *dialect;
    int port;
    pid_t server, store;
    double warm, seconds, hold;
    uint64_t warm_updates, moves;
} wanted = {.dialect = &PARLOUR, .warm = 1, .seconds = 3, .warm_updates = 40000};

static int timer = -1;

static const char USAGE[] =
    "usage: generator --dialect parlour|plain|colyseus --port PORT [options]\n"
    "  --tables N      where two players each play (50)\n"
    "  --watchers N    of the first table (0)\n"
    "  --rate N        moves a second at all tables together; 0: each as soon as the last was seen (0)\n"
    "  --window N      moves that the slowest watcher may be behind, without a rate (8)\n"
    "  --rounds N      of 60 moves in a game, after which a new one begins; parlour only (10)\n"
    "  --choices 0|1   whether players are told what they may pick; parlour only (0)\n"
    "  --server PID    the process whose CPU time and memory are measured\n"
    "  --store PID     another one, told of separately\n"
    "  --warm S        seconds of play before it counts (1)\n"
    "  --warm-updates N  at least so many updates have come before it counts (40000)\n"
    "  --seconds S     seconds of play that count; 0: nobody plays (3)\n"
    "  --moves N       at least so many moves count, however long they take (0)\n"
    "  --hold S        seconds to wait when all are at their tables, before memory is measured (0)\n";

static void stop(const char *why, const char *what) {
    fprintf(stderr, "generator: %s%s\n", why, what);
    exit(2);
}

static void read_options(int count, char **words) {
    int rounds = 10;
    for (int i = 1; i < count; i += 2) {
        const char *name = words[i], *value = i + 1 < count ? words[i + 1] : NULL;
        if (!strcmp(name, "--help")) {
            fputs(USAGE, stdout);
            exit(0);
        }
        if (!value) stop("no value for ", name);
        double number = atof(value);
        if (!strcmp(name, "--dialect")) {
            wanted.dialect = NULL;
            for (size_t d = 0; d < sizeof DIALECTS / sizeof *DIALECTS; d++)
                if (!strcmp(value, DIALECTS[d]->name)) wanted.dialect = DIALECTS[d];
            if (!wanted.dialect) stop("no such dialect: ", value);
        } else if (!strcmp(name, "--port"))
            wanted.port = (int)number;
        else if (!strcmp(name, "--tables"))
            plan.tables = (int)number;
        else if (!strcmp(name, "--watchers"))
            plan.watchers = (int)number;
        else if (!strcmp(name, "--rate"))
            plan.rate = number;
        else if (!strcmp(name, "--window"))
            plan.window = (int)number;
        else if (!strcmp(name, "--choices"))
            plan.choices = (int)number;
        else if (!strcmp(name, "--rounds"))
            rounds = (int)number;
        else if (!strcmp(name, "--server"))
            wanted.server = (pid_t)number;
        else if (!strcmp(name, "--store"))
            wanted.store = (pid_t)number;
        else if (!strcmp(name, "--warm"))
            wanted.warm = number;
        else if (!strcmp(name, "--warm-updates"))
            wanted.warm_updates = (uint64_t)number;
        else if (!strcmp(name, "--seconds"))
            wanted.seconds = number;
        else if (!strcmp(name, "--moves"))
            wanted.moves = (uint64_t)number;
        else if (!strcmp(name, "--hold"))
            wanted.hold = number;
        else
            stop("no such option: ", name);
    }
    if (wanted.port <= 0 || plan.tables <= 0) stop("a port and a table are needed", "");
    if (wanted.dialect == &PARLOUR) plan.game = (uint32_t)rounds * ROUND;
}

// -- waiting

static void set_timer(void) {
    uint64_t at = next_slot_at();
    struct itimerspec time = {.it_value = {.tv_sec = (time_t)(at / 1000000000), .tv_nsec = (long)(at % 1000000000)}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL);
}

static void serve(int milliseconds) {
    struct epoll_event events[512];
    int count = epoll_wait(poll_handle(), events, 512, milliseconds);
    for (int i = 0; i < count; i++) {
        if (events[i].data.u32 == TIMER) {
            uint64_t times;
            if (read(timer, &times, sizeof times) < 0) continue;
            make_due(now_ns());
            set_timer();
        } else {
            serve_client(&clients[events[i].data.u32], events[i].events);
        }
    }
}

static void serve_for(double seconds) {
    uint64_t until = now_ns() + (uint64_t)(seconds * 1e9);
    for (uint64_t now = now_ns(); now < until; now = now_ns()) serve((int)((until - now) / 1000000) + 1);
}

// Connects the clients up to a number, and waits until all of them are at their tables.
static void bring_in(unsigned count) {
    static unsigned started;
    uint64_t until = now_ns() + (uint64_t)SETUP_WITHIN * 1000000000;
    while (clients_there < count && !clients_lost) {
        while (started < count && started - clients_there < AT_ONCE) connect_client(&clients[started++]);
        serve(100);
        if (now_ns() > until) stop("not everybody came to a table in time", "");
    }
    if (clients_lost) stop("a connection was lost on the way to a table", "");
}

// Lets them play until the server has had time to learn what it does: compilers at run time need some thousand moves.
static void warm_up(void) {
    uint64_t until = now_ns() + (uint64_t)WARM_WITHIN * 1000000000;
    serve_for(wanted.warm);
    while (counts.deliveries < wanted.warm_updates && !clients_lost && now_ns() < until) serve_for(0.05);
}

// Lets them play for as long as it counts.
static void play_for_real(void) {
    serve_for(wanted.seconds);
    while (counts.moves < wanted.moves && !clients_lost) serve_for(0.01);
}

// Waits for what is still under way after the last move.
static void drain(void) {
    uint64_t until = now_ns() + (uint64_t)DRAIN_WITHIN * 1000000000;
    while (stalled() && !clients_lost && now_ns() < until) serve_for(0.01);
}

static void start_schedule(void) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = TIMER};
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    epoll_ctl(poll_handle(), EPOLL_CTL_ADD, timer, &event);
    set_timer();
}

// -- the run

struct usage {
    double server, store, own;
    uint64_t at;
};

static struct usage usage(void) {
    return (struct usage){cpu_seconds(wanted.server), cpu_seconds(wanted.store), cpu_seconds(getpid()), now_ns()};
}

static double ratio(double of, double to) { return to > 0 ? of / to : 0; }

int main(int count, char **words) {
    read_options(count, words);
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    open_wire(wanted.dialect, wanted.port);
    set_tables();

    unsigned players = 2 * (unsigned)plan.tables, all = players + (unsigned)plan.watchers;
    struct usage before = usage();
    bring_in(players);
    double kib_before = resident_kib(wanted.server);
    if (plan.watchers) {
        before = usage();
        bring_in(all);
    }
    struct usage after = usage();
    double joining = after.server - before.server, joining_wall = (double)(after.at - before.at) / 1e9;
    serve_for(wanted.hold);
    double kib_after = resident_kib(wanted.server);

    struct usage first = {0}, last = {0};
    struct counts made = {0};
    if (wanted.seconds > 0) {
        begin(now_ns());
        if (plan.rate > 0) start_schedule();
        warm_up();
        uint64_t mistakes = counts.wrong, refusals = counts.refused;
        counts = (struct counts){.wrong = mistakes, .refused = refusals};
        forget_times();
        bytes_received = bytes_sent = frames_received = 0;
        first = usage();
        play_for_real();
        last = usage();
        made = counts;
    }
    uint64_t received = bytes_received, sent = bytes_sent, frames = frames_received;
    double below[] = {time_below(.5), time_below(.9), time_below(.99), time_below(.999), longest_time()};
    end();
    if (wanted.seconds > 0) drain();

    double wall = (double)(last.at - first.at) / 1e9, moves = (double)made.moves, told = (double)made.deliveries;
    printf("{\"clients\":%u,\"lost\":%u,\"wrong\":%lu,\"refused\":%lu,\"stalled\":%u,\"late\":%lu,", all, clients_lost,
           counts.wrong, counts.refused, wanted.seconds > 0 ? stalled() : 0, made.late);
    printf("\"join_cpu_us\":%.1f,\"join_seconds\":%.3f,\"kib_before\":%.0f,\"kib_after\":%.0f,",
           1e6 * ratio(joining, all - (plan.watchers ? players : 0)), joining_wall, kib_before, kib_after);
    printf("\"seconds\":%.3f,\"moves\":%.0f,\"deliveries\":%.0f,\"answered\":%lu,", wall, moves, told, made.answered);
    printf("\"server_cpu\":%.6f,\"store_cpu\":%.6f,\"generator_cpu\":%.6f,", last.server - first.server,
           last.store - first.store, last.own - first.own);
    printf("\"p50_ms\":%.4f,\"p90_ms\":%.4f,\"p99_ms\":%.4f,\"p999_ms\":%.4f,\"max_ms\":%.4f,", below[0], below[1],
           below[2], below[3], below[4]);
    printf("\"update_bytes\":%.2f,\"received_bytes\":%lu,\"received_frames\":%lu,\"sent_bytes\":%lu}\n",
           ratio((double)made.update_bytes, told), received, frames, sent);
    return clients_lost ? 1 : 0;
}
