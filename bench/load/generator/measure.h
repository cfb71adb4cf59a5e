// Latencies, and the CPU time and memory of processes.
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>
#include <sys/types.h>

uint64_t now_ns(void);

void record_latency(uint64_t nanoseconds);
void reset_latencies(void);
double latency_percentile_ms(double fraction);  // 0.99 for the 99th percentile
double max_latency_ms(void);

double cpu_seconds(pid_t process);  // of all threads since the process started; 0 for process 0
double resident_kib(pid_t process);

#define MAX_PROCESSES 64

struct processes {
    pid_t ids[MAX_PROCESSES];
    unsigned count;
};

double all_cpu_seconds(const struct processes *processes);
double all_resident_kib(const struct processes *processes);

#endif
