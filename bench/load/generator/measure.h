// Times, and what the system tells about a process.
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>
#include <sys/types.h>

uint64_t now_ns(void);

// Times between a move and its update.
void note_time(uint64_t nanoseconds);
void forget_times(void);
double time_below(double share);  // milliseconds within which this share of all times lies
double longest_time(void);

double cpu_seconds(pid_t process);  // of all its threads so far; 0 for process 0
double resident_kib(pid_t process);

#endif
