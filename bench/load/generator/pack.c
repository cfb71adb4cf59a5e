#include "pack.h"

#include <string.h>

// -- writing

static void put(struct out *out, int first, uint64_t value, int bytes) {
    out->bytes[out->length++] = (uint8_t)first;
    while (bytes-- > 0) out->bytes[out->length++] = (uint8_t)(value >> 8 * bytes);
}

void put_map(struct out *out, unsigned pairs) { put(out, 0x80 | pairs, 0, 0); }

void put_array(struct out *out, unsigned items) { put(out, 0x90 | items, 0, 0); }

void put_text(struct out *out, const char *text) {
    size_t length = strlen(text);
    if (length < 32)
        put(out, 0xa0 | (int)length, 0, 0);
    else
        put(out, 0xd9, length, 1);
    memcpy(out->bytes + out->length, text, length);
    out->length += length;
}

void put_number(struct out *out, int64_t number) {
    if (number < 0)
        put(out, (int)(number & 0xff), 0, 0);  // down to -32
    else if (number < 0x80)
        put(out, (int)number, 0, 0);
    else if (number < 0x100)
        put(out, 0xcc, (uint64_t)number, 1);
    else if (number < 0x10000)
        put(out, 0xcd, (uint64_t)number, 2);
    else if (number < 0x100000000)
        put(out, 0xce, (uint64_t)number, 4);
    else
        put(out, 0xcf, (uint64_t)number, 8);
}

void put_truth(struct out *out, bool truth) { put(out, truth ? 0xc3 : 0xc2, 0, 0); }

// -- reading

static uint64_t take(struct in *in, size_t bytes) {
    if ((size_t)(in->end - in->at) < bytes) {
        in->bad = true;
        in->at = in->end;
        return 0;
    }
    uint64_t value = 0;
    while (bytes-- > 0) value = value << 8 | *in->at++;
    return value;
}

// A length that stands in the first byte, or in the two or four bytes after it.
static unsigned take_length(struct in *in, int small, int mask, int wide) {
    int first = (int)take(in, 1);
    if ((first & ~mask) == small) return (unsigned)(first & mask);
    if (first == wide) return (unsigned)take(in, 2);
    if (first == wide + 1) return (unsigned)take(in, 4);
    in->bad = true;
    return 0;
}

unsigned take_map(struct in *in) { return take_length(in, 0x80, 0x0f, 0xde); }

unsigned take_array(struct in *in) { return take_length(in, 0x90, 0x0f, 0xdc); }

struct text take_text(struct in *in) {
    struct text text = {"", 0};
    size_t length;
    if (in->at < in->end && *in->at == 0xd9) {
        take(in, 1);
        length = take(in, 1);
    } else {
        length = take_length(in, 0xa0, 0x1f, 0xda);
    }
    if (in->bad || (size_t)(in->end - in->at) < length) {
        in->bad = true;
        return text;
    }
    text = (struct text){(const char *)in->at, length};
    in->at += length;
    return text;
}

int64_t take_number(struct in *in) {
    int first = (int)take(in, 1);
    if (first < 0x80) return first;
    if (first >= 0xe0) return first - 0x100;
    if (first >= 0xcc && first <= 0xcf) return (int64_t)take(in, (size_t)1 << (first - 0xcc));
    if (first == 0xd0) return (int8_t)take(in, 1);
    if (first == 0xd1) return (int16_t)take(in, 2);
    if (first == 0xd2) return (int32_t)take(in, 4);
    if (first == 0xd3) return (int64_t)take(in, 8);
    in->bad = true;
    return 0;
}

bool take_nil(struct in *in) {
    if (in->at >= in->end || *in->at != 0xc0) return false;
    in->at++;
    return true;
}

static void pass(struct in *in, size_t bytes) {
    if ((size_t)(in->end - in->at) < bytes)
        in->bad = true;
    else
        in->at += bytes;
}

void skip(struct in *in) {
    for (size_t left = 1; left > 0 && !in->bad; left--) {
        int first = in->at < in->end ? *in->at : 0xc1;
        if ((first >= 0x80 && first < 0x90) || first == 0xde || first == 0xdf)
            left += 2 * (size_t)take_map(in);
        else if ((first >= 0x90 && first < 0xa0) || first == 0xdc || first == 0xdd)
            left += take_array(in);
        else if ((first >= 0xa0 && first < 0xc0) || (first >= 0xd9 && first <= 0xdb))
            take_text(in);
        else if (first == 0xc0 || first == 0xc2 || first == 0xc3)
            pass(in, 1);
        else if (first == 0xca || first == 0xcb)
            pass(in, first == 0xca ? 5 : 9);
        else if (first >= 0xc4 && first <= 0xc6) {
            take(in, 1);
            pass(in, take(in, (size_t)1 << (first - 0xc4)));
        } else
            take_number(in);
    }
}

bool is(struct text text, const char *word) {
    return text.length == strlen(word) && memcmp(text.start, word, text.length) == 0;
}

void copy(struct text text, char *to, size_t room) {
    size_t length = text.length < room ? text.length : room - 1;
    memcpy(to, text.start, length);
    to[length] = 0;
}
