#include "msgpack.h"

#include <string.h>

// -- writing

static void put(struct writer *writer, int first, uint64_t value, int bytes) {
    writer->bytes[writer->length++] = (uint8_t)first;
    while (bytes-- > 0) writer->bytes[writer->length++] = (uint8_t)(value >> 8 * bytes);
}

void write_map(struct writer *writer, unsigned pairs) { put(writer, 0x80 | pairs, 0, 0); }

void write_array(struct writer *writer, unsigned items) { put(writer, 0x90 | items, 0, 0); }

void write_string(struct writer *writer, const char *string) {
    size_t length = strlen(string);
    if (length < 32)
        put(writer, 0xa0 | (int)length, 0, 0);
    else
        put(writer, 0xd9, length, 1);
    memcpy(writer->bytes + writer->length, string, length);
    writer->length += length;
}

void write_int(struct writer *writer, int64_t number) {
    if (number < 0)
        put(writer, (int)(number & 0xff), 0, 0);
    else if (number < 0x80)
        put(writer, (int)number, 0, 0);
    else if (number < 0x100)
        put(writer, 0xcc, (uint64_t)number, 1);
    else if (number < 0x10000)
        put(writer, 0xcd, (uint64_t)number, 2);
    else if (number < 0x100000000)
        put(writer, 0xce, (uint64_t)number, 4);
    else
        put(writer, 0xcf, (uint64_t)number, 8);
}

void write_bool(struct writer *writer, bool value) { put(writer, value ? 0xc3 : 0xc2, 0, 0); }

// -- reading

static uint64_t take(struct reader *reader, size_t bytes) {
    if ((size_t)(reader->end - reader->at) < bytes) {
        reader->bad = true;
        reader->at = reader->end;
        return 0;
    }
    uint64_t value = 0;
    while (bytes-- > 0) value = value << 8 | *reader->at++;
    return value;
}

// Reads a length that is part of the first byte, or follows it in two or four bytes.
static unsigned read_length(struct reader *reader, int small, int mask, int wide) {
    int first = (int)take(reader, 1);
    if ((first & ~mask) == small) return (unsigned)(first & mask);
    if (first == wide) return (unsigned)take(reader, 2);
    if (first == wide + 1) return (unsigned)take(reader, 4);
    reader->bad = true;
    return 0;
}

unsigned read_map(struct reader *reader) { return read_length(reader, 0x80, 0x0f, 0xde); }

unsigned read_array(struct reader *reader) { return read_length(reader, 0x90, 0x0f, 0xdc); }

struct slice read_string(struct reader *reader) {
    struct slice slice = {"", 0};
    size_t length;
    if (reader->at < reader->end && *reader->at == 0xd9) {
        take(reader, 1);
        length = take(reader, 1);
    } else {
        length = read_length(reader, 0xa0, 0x1f, 0xda);
    }
    if (reader->bad || (size_t)(reader->end - reader->at) < length) {
        reader->bad = true;
        return slice;
    }
    slice = (struct slice){(const char *)reader->at, length};
    reader->at += length;
    return slice;
}

int64_t read_int(struct reader *reader) {
    int first = (int)take(reader, 1);
    if (first < 0x80) return first;
    if (first >= 0xe0) return first - 0x100;
    if (first >= 0xcc && first <= 0xcf) return (int64_t)take(reader, (size_t)1 << (first - 0xcc));
    if (first == 0xd0) return (int8_t)take(reader, 1);
    if (first == 0xd1) return (int16_t)take(reader, 2);
    if (first == 0xd2) return (int32_t)take(reader, 4);
    if (first == 0xd3) return (int64_t)take(reader, 8);
    reader->bad = true;
    return 0;
}

bool read_nil(struct reader *reader) {
    if (reader->at >= reader->end || *reader->at != 0xc0) return false;
    reader->at++;
    return true;
}

static void skip_bytes(struct reader *reader, size_t bytes) {
    if ((size_t)(reader->end - reader->at) < bytes)
        reader->bad = true;
    else
        reader->at += bytes;
}

void skip_value(struct reader *reader) {
    for (size_t left = 1; left > 0 && !reader->bad; left--) {
        int first = reader->at < reader->end ? *reader->at : 0xc1;
        if ((first >= 0x80 && first < 0x90) || first == 0xde || first == 0xdf)
            left += 2 * (size_t)read_map(reader);
        else if ((first >= 0x90 && first < 0xa0) || first == 0xdc || first == 0xdd)
            left += read_array(reader);
        else if ((first >= 0xa0 && first < 0xc0) || (first >= 0xd9 && first <= 0xdb))
            read_string(reader);
        else if (first == 0xc0 || first == 0xc2 || first == 0xc3)
            skip_bytes(reader, 1);
        else if (first == 0xca || first == 0xcb)
            skip_bytes(reader, first == 0xca ? 5 : 9);
        else if (first >= 0xc4 && first <= 0xc6) {
            take(reader, 1);
            skip_bytes(reader, take(reader, (size_t)1 << (first - 0xc4)));
        } else
            read_int(reader);
    }
}

bool equals(struct slice slice, const char *string) {
    return slice.length == strlen(string) && memcmp(slice.start, string, slice.length) == 0;
}

void copy_string(struct slice slice, char *to, size_t capacity) {
    size_t length = slice.length < capacity ? slice.length : capacity - 1;
    memcpy(to, slice.start, length);
    to[length] = 0;
}
