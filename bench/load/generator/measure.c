#define _GNU_SOURCE
#include "measure.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// -- a histogram whose steps are a 64th of the value

#define STEPS 64
#define STEPS_BITS 6

static uint64_t histogram[64 * STEPS];
static uint64_t noted, longest;

static unsigned place(uint64_t value) {
    if (value < STEPS) return (unsigned)value;
    int shift = 63 - __builtin_clzll(value) - STEPS_BITS;
    return (unsigned)(shift + 1) * STEPS + (unsigned)(value >> shift & (STEPS - 1));
}

static uint64_t least_at(unsigned place) {
    return place < STEPS ? place : (uint64_t)(STEPS + place % STEPS) << (place / STEPS - 1);
}

void note_time(uint64_t nanoseconds) {
    histogram[place(nanoseconds)]++;
    noted++;
    if (nanoseconds > longest) longest = nanoseconds;
}

void forget_times(void) {
    memset(histogram, 0, sizeof histogram);
    noted = longest = 0;
}

double time_below(double share) {
    uint64_t wanted = (uint64_t)(share * (double)noted), found = 0;
    for (unsigned i = 0; i < 64 * STEPS; i++) {
        found += histogram[i];
        if (found > wanted) return (double)least_at(i) / 1e6;
    }
    return longest_time();
}

double longest_time(void) { return (double)longest / 1e6; }

// -- processes

double cpu_seconds(pid_t process) {
    char path[320];
    double sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = process ? opendir(path) : NULL;
    if (!threads) return 0;
    struct dirent *thread;
    while ((thread = readdir(threads))) {
        if (thread->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", process, thread->d_name);
        FILE *file = fopen(path, "r");
        unsigned long long nanoseconds;
        if (!file) continue;
        if (fscanf(file, "%llu", &nanoseconds) == 1) sum += (double)nanoseconds / 1e9;
        fclose(file);
    }
    closedir(threads);
    return sum;
}

double resident_kib(pid_t process) {
    char path[64];
    long resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", process);
    FILE *file = process ? fopen(path, "r") : NULL;
    if (!file) return 0;
    if (fscanf(file, "%*d %ld", &resident) != 1) resident = 0;
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1024;
}
