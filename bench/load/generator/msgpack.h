// The subset of MessagePack that the generator and the floor server need.
#ifndef MSGPACK_H
#define MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// -- writing

// A message being written. The buffer is large enough for every message that is sent here.
struct writer {
    uint8_t bytes[480];
    size_t length;
};

void write_map(struct writer *writer, unsigned pairs);
void write_array(struct writer *writer, unsigned items);
void write_string(struct writer *writer, const char *string);
void write_int(struct writer *writer, int64_t number);  // not below -32
void write_bool(struct writer *writer, bool value);

// -- reading

// A message being read. An unexpected type or a truncated value sets `bad`; reads after that return 0 or "".
struct reader {
    const uint8_t *at, *end;
    bool bad;
};

// A string inside the message; it is not terminated.
struct slice {
    const char *start;
    size_t length;
};

unsigned read_map(struct reader *reader);
unsigned read_array(struct reader *reader);
struct slice read_string(struct reader *reader);
int64_t read_int(struct reader *reader);
bool read_nil(struct reader *reader);    // consumes the next value only if it is nil
void skip_value(struct reader *reader);  // with everything nested in it

bool equals(struct slice slice, const char *string);
void copy_string(struct slice slice, char *to, size_t capacity);  // terminates it, and truncates it if necessary

#endif
