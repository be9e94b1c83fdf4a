/* The requests of the varied loads, made before the load begins: no two are alike, and each has an id that is new whenever it is
 * sent. The id stands at the end of the path, in the query (rid), the cookie (sid), X-Request-Id and the body, where the back ends
 * look for it (peers/work.h). Each has ten fields, as browsers and API clients send them.
 *
 * varied: 40 % GET, else POST of 200 to 3,000 bytes. mixed: and 10 % with a path that needs decoding, 5 % chunked.
 * mixed-files: and 5 % GET of a static file. */
#ifndef REQUESTS_H
#define REQUESTS_H
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID = 16, LEAST_BODY = 200, MOST_BODY = 3000, MOST_REQUEST = 8192, MOST_IDS = 5 };
/* Of 100 requests. */
enum { GETS = 40, TO_DECODE = 10, CHUNKED = 5, FILES = 5 };

struct kind {
    const char *name;
    int mixed, files;
};

static const struct kind kinds[] = {{"varied", 0, 0}, {"mixed", 1, 0}, {"mixed-files", 1, 1}};

struct request {
    char *text;
    uint16_t length, body_length, id_at[MOST_IDS];
    uint8_t ids, of_file, busy; /* busy: on its way, its id must stay */
};

/* Makes requests: the same ones for the same seed. */
struct maker {
    uint64_t state;
    const struct kind *kind;
    const char *host, *prefix, *file;
    int size; /* of what is in text */
    struct request *request;
    char text[MOST_REQUEST];
};

static const char *const words[] = {"account", "archive", "articles", "basket",  "billing", "catalog", "contacts", "delivery", "events",
                                    "export",  "gallery", "history",  "images",  "invoice", "items",   "messages", "orders",   "payments",
                                    "profile", "reports", "reviews",  "search",  "session", "settings", "shop",    "stock",    "v2"};
/* As a browser writes caf\u00e9, M\u00fcnchen, na\u00efve and a b in a path. */
static const char *const encoded_words[] = {"caf%C3%A9", "M%C3%BCnchen", "na%C3%AFve", "gar%C3%A7on", "a%20b"};
static const char *const browsers[] = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/%d.1 Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Mobile Safari/537.36"};
static const char *const programs[] = {"okhttp/4.%d.0", "python-requests/2.%d.3", "axios/1.%d.2", "Apache-HttpClient/5.%d (Java/21)",
                                       "curl/8.%d.0"};
static const char *const languages[] = {"en-US,en;q=0.9", "de-DE,de;q=0.9,en;q=0.8", "fr-FR,fr;q=0.8,en;q=0.5", "es-ES,es;q=0.9",
                                        "ja,en-US;q=0.7,en;q=0.3"};
static const char *const parameters[] = {"page", "sort", "limit", "filter", "lang", "from", "view"};

#define ONE_OF(maker, list) ((list)[below(maker, sizeof(list) / sizeof *(list))])

/* SplitMix64. */
static uint64_t next_random(struct maker *m) {
    uint64_t z = (m->state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static unsigned below(struct maker *m, size_t limit) { return (unsigned)(next_random(m) % limit); }

static int happens(struct maker *m, int of_100) { return below(m, 100) < (unsigned)of_100; }

__attribute__((format(printf, 2, 3))) static void put(struct maker *m, const char *format, ...) {
    va_list values;
    va_start(values, format);
    m->size += vsnprintf(m->text + m->size, sizeof m->text - (size_t)m->size, format, values);
    va_end(values);
}

static void put_id(struct maker *m) {
    m->request->id_at[m->request->ids++] = (uint16_t)m->size;
    put(m, "%016d", 0);
}

static void write_hex(char *at, uint64_t value) {
    for (int i = ID; i-- > 0; value >>= 4)
        at[i] = "0123456789abcdef"[value & 15];
}

static void put_hex(struct maker *m, int words_of_16) {
    for (; words_of_16 > 0; words_of_16--, m->size += ID)
        write_hex(m->text + m->size, next_random(m));
}

/* A segment whose decoding gives a plain one: a letter of it is written as %XX, or it has others than ASCII's. */
static void put_encoded(struct maker *m) {
    const char *word = ONE_OF(m, words);
    unsigned at = below(m, strlen(word));
    if (happens(m, 50))
        put(m, "/%s", ONE_OF(m, encoded_words));
    else
        put(m, "/%.*s%%%02X%s", (int)at, word, word[at], word + at + 1);
}

static void put_path(struct maker *m, int to_decode) {
    unsigned segments = 1 + below(m, 4);
    int dots = to_decode && happens(m, 50);
    put(m, "%s", m->prefix);
    for (unsigned i = 0; i < segments; i++)
        put(m, "/%s", ONE_OF(m, words));
    if (dots)
        put(m, happens(m, 50) ? "/%s/.." : "/./%s", ONE_OF(m, words));
    else if (to_decode)
        put_encoded(m);
    put(m, "/%u-", below(m, 1000000));
    put_id(m);
}

static void put_query(struct maker *m) {
    unsigned more = below(m, 4);
    put(m, "?rid=");
    put_id(m);
    put(m, "&n=%llu", (unsigned long long)next_random(m) % 100000000);
    for (unsigned i = 0; i < more; i++)
        put(m, "&%s=%s%u", ONE_OF(m, parameters), ONE_OF(m, words), below(m, 1000));
    if (happens(m, 20))
        put(m, "&q=%s+%s%%2C", ONE_OF(m, words), ONE_OF(m, words));
}

static void put_cookie(struct maker *m, const char *name) {
    put(m, "%s: sid=", name);
    put_id(m);
    put(m, "; visitor=");
    put_hex(m, 1 + (int)below(m, 3));
    if (happens(m, 50))
        put(m, "; theme=%s; seen=%u", happens(m, 50) ? "dark" : "light", below(m, 100000));
    put(m, "\r\n");
}

static void put_numbered(struct maker *m, const char *format, unsigned number) {
    char text[200];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof text, format, number);
#pragma GCC diagnostic pop
    put(m, "%s\r\n", text);
}

static void put_request_id(struct maker *m, const char *name) {
    put(m, "%s: ", name);
    put_id(m);
    put(m, "\r\n");
}

/* How a body is framed, as two fields: what it is, and its length or that it comes chunked. */
static void put_framing(struct maker *m, const char *type, const char *encoding, const char *length, int chunked) {
    put(m, "%s: application/json\r\n", type);
    if (chunked)
        put(m, "%s: chunked\r\n", encoding);
    else
        put(m, "%s: %u\r\n", length, m->request->body_length);
}

/* Eight fields, and two more for a body or for what a browser says beside it. */
static void put_browser(struct maker *m, int post, int chunked) {
    put(m, "Host: %s\r\nUser-Agent: ", m->host);
    put_numbered(m, ONE_OF(m, browsers), 100 + below(m, 60));
    put(m, "Accept: %s\r\n", post ? "application/json, text/plain, */*" : "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    put(m, "Accept-Language: %s\r\nAccept-Encoding: gzip, deflate, br\r\n", ONE_OF(m, languages));
    put(m, "Referer: https://www.example.org/%s/%u\r\n", ONE_OF(m, words), below(m, 1000000));
    if (post)
        put_framing(m, "Content-Type", "Transfer-Encoding", "Content-Length", chunked);
    else
        put(m, "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Site: same-origin\r\n");
    put_cookie(m, "Cookie");
    put_request_id(m, "X-Request-Id");
}

/* The same for a program. Many of them write the names in small letters. */
static void put_program(struct maker *m, int post, int chunked) {
    int small = happens(m, 50);
    put(m, "%s: %s\r\n%s: ", small ? "host" : "Host", m->host, small ? "user-agent" : "User-Agent");
    put_numbered(m, ONE_OF(m, programs), below(m, 40));
    put(m, small ? "accept: */*\r\naccept-encoding: gzip\r\n" : "Accept: application/json\r\nAccept-Encoding: gzip, deflate\r\n");
    put(m, "%s: Bearer ", small ? "authorization" : "Authorization");
    put_hex(m, 3);
    put(m, "\r\ntraceparent: 00-");
    put_hex(m, 2);
    put(m, "-%016llx-01\r\n", (unsigned long long)next_random(m));
    if (!post)
        put(m, small ? "cache-control: no-cache\r\nx-api-version: 7\r\n" : "Cache-Control: no-cache\r\nX-Api-Version: 7\r\n");
    else if (small)
        put_framing(m, "content-type", "transfer-encoding", "content-length", chunked);
    else
        put_framing(m, "Content-Type", "Transfer-Encoding", "Content-Length", chunked);
    put_cookie(m, small ? "cookie" : "Cookie");
    put_request_id(m, small ? "x-request-id" : "X-Request-Id");
}

/* So many bytes of a body. The first ones tell the id. */
static void put_piece(struct maker *m, int begin, int length) {
    int end = m->size + length;
    if (begin) {
        put(m, "{\"id\":\"");
        put_id(m);
        put(m, "\",\"text\":\"");
    }
    while (m->size + 16 <= end)
        put_hex(m, 1);
    while (m->size < end)
        put(m, "%c", 'a' + (char)below(m, 26));
}

static void put_body(struct maker *m, int chunked) {
    int left = m->request->body_length, pieces = chunked ? 1 + (int)below(m, 4) : 1;
    for (int begin = 1; left > 0; begin = 0, pieces--) {
        /* Each has 50 bytes or more: the first one has to hold the id. */
        int piece = pieces > 1 && left > 100 ? 50 + (int)below(m, (size_t)left - 100) : left;
        if (chunked)
            put(m, "%x\r\n", piece);
        put_piece(m, begin, piece);
        if (chunked)
            put(m, "\r\n");
        left -= piece;
        if (left == 0)
            memcpy(m->text + m->size - (chunked ? 4 : 2), "\"}", 2);
    }
    if (chunked)
        put(m, "0\r\n\r\n");
}

static void make_request(struct maker *m, struct request *request) {
    int of_file = m->kind->files && happens(m, FILES), post = !of_file && !happens(m, GETS);
    /* Only a POST can come chunked: a larger part of them, so that it is 5 % of all. */
    int chunked = m->kind->mixed && post && below(m, 100 - GETS) < CHUNKED;
    memset(request, 0, sizeof *request);
    m->request = request;
    m->size = 0;
    request->of_file = (uint8_t)of_file;
    request->body_length = post ? (uint16_t)(LEAST_BODY + below(m, MOST_BODY - LEAST_BODY + 1)) : 0;
    put(m, post ? "POST " : "GET ");
    if (of_file)
        put(m, "%s", m->file);
    else
        put_path(m, m->kind->mixed && happens(m, TO_DECODE));
    put_query(m);
    put(m, " HTTP/1.1\r\n");
    (happens(m, 50) ? put_browser : put_program)(m, post, chunked);
    put(m, "\r\n");
    if (post)
        put_body(m, chunked);
    request->length = (uint16_t)m->size;
    request->text = malloc((size_t)m->size);
    memcpy(request->text, m->text, (size_t)m->size);
}

/* Writes an id wherever the request has it. */
static void name_request(struct request *request, uint64_t id) {
    char hex[ID];
    write_hex(hex, id);
    for (int i = 0; i < request->ids; i++)
        memcpy(request->text + request->id_at[i], hex, ID);
}
#endif
