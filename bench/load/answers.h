/* Reads answers of HTTP/1.1: by their length or by their chunks. An answer that ends with its connection counts as broken. */
#ifndef ANSWERS_H
#define ANSWERS_H
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum progress { ANSWER_MORE, ANSWER_WHOLE, ANSWER_BROKEN };

struct answer {
    int status, closes;
    char *body;
    size_t body_length, used; /* used: of the input */
};

struct answer_head {
    size_t length; /* with the empty line */
    long content;  /* -1 when it is not told */
    int chunked;
};

static int answer_field(const char *line, size_t length, const char *name) {
    size_t size = strlen(name);
    return length > size && line[size] == ':' && strncasecmp(line, name, size) == 0;
}

static int answer_has(const char *line, size_t length, const char *word) {
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++)
        if (strncasecmp(line + i, word, size) == 0)
            return 1;
    return 0;
}

static enum progress answer_head(const char *in, size_t length, struct answer *a, struct answer_head *head) {
    const char *end = memmem(in, length, "\r\n\r\n", 4), *line;
    if (end == NULL)
        return ANSWER_MORE;
    if (length < 12 || memcmp(in, "HTTP/1.1 ", 9) != 0)
        return ANSWER_BROKEN;
    *head = (struct answer_head){(size_t)(end + 4 - in), -1, 0};
    a->status = atoi(in + 9);
    a->closes = 0;
    line = memchr(in, '\n', length);
    while (line < end) {
        const char *stop = memchr(line, '\r', (size_t)(end + 1 - line));
        size_t size = (size_t)(stop - ++line);
        if (answer_field(line, size, "content-length"))
            head->content = atol(line + sizeof "content-length");
        else if (answer_field(line, size, "transfer-encoding"))
            head->chunked = answer_has(line, size, "chunked");
        else if (answer_field(line, size, "connection"))
            a->closes = answer_has(line, size, "close");
        line = memchr(stop, '\n', (size_t)(end + 2 - stop));
    }
    return ANSWER_WHOLE;
}

/* Walks over a chunked body without trailers. join: puts its pieces together, which is done only when all of it is there. */
static enum progress answer_pieces(char *at, char *end, struct answer *a, int join) {
    char *begin = at, *to = at;
    size_t size;
    do {
        char *line = memmem(at, (size_t)(end - at), "\r\n", 2), *stop;
        if (line == NULL)
            return ANSWER_MORE;
        size = strtoul(at, &stop, 16);
        if (stop == at || size > INT32_MAX)
            return ANSWER_BROKEN;
        if ((size_t)(end - line) < 2 + size + 2)
            return ANSWER_MORE;
        if (memcmp(line + 2 + size, "\r\n", 2) != 0)
            return ANSWER_BROKEN;
        if (join)
            memmove(to, line + 2, size);
        to += size;
        at = line + 2 + size + 2;
    } while (size > 0);
    a->body = begin;
    a->body_length = (size_t)(to - begin);
    a->used += join ? (size_t)(at - begin) : 0;
    return ANSWER_WHOLE;
}

/* Reads the answer at the beginning of the input, which has a zero behind it; the body may move there. */
static enum progress answer_read(char *in, size_t length, struct answer *a) {
    struct answer_head head;
    enum progress progress = answer_head(in, length, a, &head);
    if (progress != ANSWER_WHOLE)
        return progress;
    a->used = head.length;
    if (head.chunked) {
        progress = answer_pieces(in + head.length, in + length, a, 0);
        return progress == ANSWER_WHOLE ? answer_pieces(in + head.length, in + length, a, 1) : progress;
    }
    if (head.content < 0)
        return ANSWER_BROKEN;
    if (length - head.length < (size_t)head.content)
        return ANSWER_MORE;
    a->body = in + head.length;
    a->body_length = (size_t)head.content;
    a->used += a->body_length;
    return ANSWER_WHOLE;
}
#endif
