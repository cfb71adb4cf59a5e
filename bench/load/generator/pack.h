// MessagePack, as much of it as the generator and the floor need.
#ifndef PACK_H
#define PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A message under construction. None that is sent here is longer.
struct out {
    uint8_t bytes[480];
    size_t length;
};

void put_map(struct out *out, unsigned pairs);
void put_array(struct out *out, unsigned items);
void put_text(struct out *out, const char *text);
void put_number(struct out *out, int64_t number);
void put_truth(struct out *out, bool truth);

// A message that is being read. Whatever does not fit sets `bad`; from then on only zeros and empty texts come.
struct in {
    const uint8_t *at, *end;
    bool bad;
};

struct text {
    const char *start;
    size_t length;
};

unsigned take_map(struct in *in);
unsigned take_array(struct in *in);
struct text take_text(struct in *in);
int64_t take_number(struct in *in);
bool take_nil(struct in *in);  // whether nil was next; if so, it is gone
void skip(struct in *in);      // whatever is next, with all that is in it

bool is(struct text text, const char *word);
void copy(struct text text, char *to, size_t room);  // always ended by a zero; cut if it is too long

#endif
