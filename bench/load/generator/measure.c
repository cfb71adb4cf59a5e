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

// -- a histogram whose buckets are at most 1/64 of their value wide

#define SUBBUCKETS 64
#define SUBBUCKET_BITS 6

static uint64_t histogram[64 * SUBBUCKETS];
static uint64_t recorded, longest;

static unsigned bucket_of(uint64_t value) {
    if (value < SUBBUCKETS) return (unsigned)value;
    int shift = 63 - __builtin_clzll(value) - SUBBUCKET_BITS;
    return (unsigned)(shift + 1) * SUBBUCKETS + (unsigned)(value >> shift & (SUBBUCKETS - 1));
}

static uint64_t lower_bound(unsigned bucket) {
    return bucket < SUBBUCKETS ? bucket : (uint64_t)(SUBBUCKETS + bucket % SUBBUCKETS) << (bucket / SUBBUCKETS - 1);
}

void record_latency(uint64_t nanoseconds) {
    histogram[bucket_of(nanoseconds)]++;
    recorded++;
    if (nanoseconds > longest) longest = nanoseconds;
}

void reset_latencies(void) {
    memset(histogram, 0, sizeof histogram);
    recorded = longest = 0;
}

double latency_percentile_ms(double fraction) {
    uint64_t rank = (uint64_t)(fraction * (double)recorded), counted = 0;
    for (unsigned i = 0; i < 64 * SUBBUCKETS; i++) {
        counted += histogram[i];
        if (counted > rank) return (double)lower_bound(i) / 1e6;
    }
    return max_latency_ms();
}

double max_latency_ms(void) { return (double)longest / 1e6; }

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

double all_cpu_seconds(const struct processes *processes) {
    double sum = 0;
    for (unsigned i = 0; i < processes->count; i++) sum += cpu_seconds(processes->ids[i]);
    return sum;
}

double all_resident_kib(const struct processes *processes) {
    double sum = 0;
    for (unsigned i = 0; i < processes->count; i++) sum += resident_kib(processes->ids[i]);
    return sum;
}
