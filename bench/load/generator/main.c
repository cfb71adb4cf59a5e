// A load generator for board game servers: many clients in one thread, one line of JSON at the end.
//
// It brings players and spectators into their rooms, has the players play the benchmark game for a while, checks every
// update, and measures latencies, bytes, and the CPU time and memory of the server's process.
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
#include "rooms.h"
#include "websocket.h"

#define TIMER UINT32_MAX   // the timer's user data in epoll, where a client has its index
#define MAX_JOINING 64     // clients that connect at the same time
#define SETUP_TIMEOUT 90   // seconds
#define WARMUP_TIMEOUT 20  // seconds
#define DRAIN_TIMEOUT 20   // seconds after the last move, for updates that are still on their way

static const struct protocol *const PROTOCOLS[] = {&PARLOUR, &PLAIN, &COLYSEUS};

static struct {
    const struct protocol *protocol;
    int port;
    struct processes servers, stores;
    double warmup, seconds, hold;
    uint64_t warmup_updates, moves;
} options = {.protocol = &PARLOUR, .warmup = 1, .seconds = 3, .warmup_updates = 40000};

static int timer = -1;

static const char USAGE[] =
    "usage: generator --protocol parlour|plain|colyseus --port PORT [options]\n"
    "  --rooms N           rooms with two players each (50)\n"
    "  --spectators N      spectators in the first room (0)\n"
    "  --rate N            moves per second in all rooms together; 0: as fast as the players can (0)\n"
    "  --window N          moves that the slowest spectator may be behind, without a rate (8)\n"
    "  --rounds N          rounds of 60 moves in a game, followed by a rematch; parlour only (10)\n"
    "  --choices 0|1       whether players ask for their choices; parlour only (0)\n"
    "  --server PID        process whose CPU time and memory are measured; can be repeated\n"
    "  --store PID         process whose CPU time is measured separately; can be repeated\n"
    "  --warmup S          seconds of play before the measurement (1)\n"
    "  --warmup-updates N  updates that must arrive before the measurement (40000)\n"
    "  --seconds S         seconds of play to measure (3)\n"
    "  --moves N           moves to measure at least, however long they take (0)\n"
    "  --hold S            seconds to wait after the last client has joined, before memory is measured (0)\n";

static void fail(const char *problem, const char *detail) {
    fprintf(stderr, "generator: %s%s\n", problem, detail);
    exit(2);
}

static const struct protocol *find_protocol(const char *name) {
    for (size_t i = 0; i < sizeof PROTOCOLS / sizeof *PROTOCOLS; i++)
        if (!strcmp(name, PROTOCOLS[i]->name)) return PROTOCOLS[i];
    fail("unknown protocol: ", name);
    return NULL;
}

static void add_process(struct processes *processes, pid_t process) {
    if (processes->count == MAX_PROCESSES) fail("too many processes to measure", "");
    processes->ids[processes->count++] = process;
}

static void parse_options(int argc, char **argv) {
    int rounds = 10;
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(name, "--help")) {
            fputs(USAGE, stdout);
            exit(0);
        }
        if (!value) fail("missing value for ", name);
        double number = atof(value);
        if (!strcmp(name, "--protocol"))
            options.protocol = find_protocol(value);
        else if (!strcmp(name, "--port"))
            options.port = (int)number;
        else if (!strcmp(name, "--rooms"))
            workload.rooms = (int)number;
        else if (!strcmp(name, "--spectators"))
            workload.spectators = (int)number;
        else if (!strcmp(name, "--rate"))
            workload.rate = number;
        else if (!strcmp(name, "--window"))
            workload.window = (int)number;
        else if (!strcmp(name, "--choices"))
            workload.choices = number != 0;
        else if (!strcmp(name, "--rounds"))
            rounds = (int)number;
        else if (!strcmp(name, "--server"))
            add_process(&options.servers, (pid_t)number);
        else if (!strcmp(name, "--store"))
            add_process(&options.stores, (pid_t)number);
        else if (!strcmp(name, "--warmup"))
            options.warmup = number;
        else if (!strcmp(name, "--warmup-updates"))
            options.warmup_updates = (uint64_t)number;
        else if (!strcmp(name, "--seconds"))
            options.seconds = number;
        else if (!strcmp(name, "--moves"))
            options.moves = (uint64_t)number;
        else if (!strcmp(name, "--hold"))
            options.hold = number;
        else
            fail("unknown option: ", name);
    }
    if (options.port <= 0 || workload.rooms <= 0 || options.seconds <= 0)
        fail("--port, --rooms and --seconds must be positive", "");
    if (options.protocol == &PARLOUR) workload.moves_per_game = (uint32_t)rounds * MOVES_PER_ROUND;
}

// -- the event loop

static void set_timer(void) {
    uint64_t at = next_slot_at();
    struct itimerspec time = {.it_value = {.tv_sec = (time_t)(at / 1000000000), .tv_nsec = (long)(at % 1000000000)}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL);
}

static void start_timer(void) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = TIMER};
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    epoll_ctl(epoll_handle(), EPOLL_CTL_ADD, timer, &event);
    set_timer();
}

static void run_once(int timeout_ms) {
    struct epoll_event events[512];
    int count = epoll_wait(epoll_handle(), events, 512, timeout_ms);
    for (int i = 0; i < count; i++) {
        if (events[i].data.u32 == TIMER) {
            uint64_t expirations;
            if (read(timer, &expirations, sizeof expirations) < 0) continue;
            make_due_moves(now_ns());
            set_timer();
        } else {
            handle_events(&clients[events[i].data.u32], events[i].events);
        }
    }
}

static void run_for(double seconds) {
    uint64_t until = now_ns() + (uint64_t)(seconds * 1e9);
    for (uint64_t now = now_ns(); now < until; now = now_ns()) run_once((int)((until - now) / 1000000) + 1);
}

static uint64_t deadline(uint64_t seconds) { return now_ns() + seconds * 1000000000; }

// -- the phases of a run

// Connects clients until `count` of them are in their rooms.
static void join_clients(unsigned count) {
    static unsigned started;
    uint64_t until = deadline(SETUP_TIMEOUT);
    while (clients_joined < count && !clients_lost) {
        while (started < count && started - clients_joined < MAX_JOINING) connect_client(&clients[started++]);
        run_once(100);
        if (now_ns() > until) fail("some clients did not join in time", "");
    }
    if (clients_lost) fail("a connection was lost before the client had joined", "");
}

// Plays without measuring: just-in-time compilers need some thousand moves.
static void warm_up(void) {
    uint64_t until = deadline(WARMUP_TIMEOUT);
    run_for(options.warmup);
    while (counts.deliveries < options.warmup_updates && !clients_lost && now_ns() < until) run_for(0.05);
}

static void play_measured(void) {
    run_for(options.seconds);
    while (counts.moves < options.moves && !clients_lost) run_for(0.01);
}

// Waits for updates that are still on their way after the last move.
static void drain(void) {
    uint64_t until = deadline(DRAIN_TIMEOUT);
    while (stalled_rooms() && !clients_lost && now_ns() < until) run_for(0.01);
}

// -- the run

struct usage {
    double server, store, generator;  // CPU seconds
    uint64_t at;
};

static struct usage usage(void) {
    return (struct usage){all_cpu_seconds(&options.servers), all_cpu_seconds(&options.stores),
                          cpu_seconds(getpid()), now_ns()};
}

static double seconds_between(struct usage first, struct usage last) { return (double)(last.at - first.at) / 1e9; }

static void allow_many_files(void) {
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

int main(int argc, char **argv) {
    parse_options(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    allow_many_files();
    set_up_connections(options.protocol, options.port);
    set_up_rooms();

    // Memory and the cost of joining are those of the spectators, if there are any.
    unsigned players = 2 * (unsigned)workload.rooms, all = players + (unsigned)workload.spectators;
    struct usage before_join = usage();
    join_clients(players);
    double rss_before = all_resident_kib(&options.servers);
    if (workload.spectators) {
        before_join = usage();
        join_clients(all);
    }
    struct usage after_join = usage();
    run_for(options.hold);
    double rss_after = all_resident_kib(&options.servers);

    start_moves(now_ns());
    if (workload.rate > 0) start_timer();
    warm_up();
    counts = (struct counts){.mismatched = counts.mismatched, .refused = counts.refused};
    reset_latencies();
    bytes_received = bytes_sent = frames_received = 0;
    struct usage first = usage();
    play_measured();
    struct usage last = usage();
    struct counts measured = counts;
    uint64_t received = bytes_received, sent = bytes_sent, frames = frames_received;
    double p50 = latency_percentile_ms(.5), p90 = latency_percentile_ms(.9), p99 = latency_percentile_ms(.99),
           p999 = latency_percentile_ms(.999), max = max_latency_ms();
    stop_moves();
    drain();

    unsigned joining = workload.spectators ? (unsigned)workload.spectators : players;
    printf("{\"clients\":%u,\"lost\":%u,\"mismatched\":%lu,\"refused\":%lu,\"stalled\":%u,\"late\":%lu,", all,
           clients_lost, counts.mismatched, counts.refused, stalled_rooms(), measured.late);
    printf("\"join_cpu_us\":%.1f,\"join_seconds\":%.3f,\"rss_before_kib\":%.0f,\"rss_after_kib\":%.0f,",
           1e6 * (after_join.server - before_join.server) / joining, seconds_between(before_join, after_join),
           rss_before, rss_after);
    printf("\"seconds\":%.3f,\"moves\":%lu,\"deliveries\":%lu,\"acknowledged\":%lu,", seconds_between(first, last),
           measured.moves, measured.deliveries, measured.acknowledged);
    printf("\"server_cpu\":%.6f,\"store_cpu\":%.6f,\"generator_cpu\":%.6f,", last.server - first.server,
           last.store - first.store, last.generator - first.generator);
    printf("\"p50_ms\":%.4f,\"p90_ms\":%.4f,\"p99_ms\":%.4f,\"p999_ms\":%.4f,\"max_ms\":%.4f,", p50, p90, p99, p999,
           max);
    printf("\"update_bytes\":%.2f,\"received_bytes\":%lu,\"received_frames\":%lu,\"sent_bytes\":%lu}\n",
           measured.deliveries ? (double)measured.update_bytes / (double)measured.deliveries : 0, received, frames,
           sent);
    return clients_lost ? 1 : 0;
}
