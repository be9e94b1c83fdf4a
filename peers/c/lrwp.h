/*
 * lrwp.h: an LRWP peer in C99, one file, no dependencies but POSIX.
 *
 * A peer dials the proxy, says which URL contexts it serves, and gets HTTP requests over that one connection. This file
 * speaks LRWP 3.0 and falls back to 1.0. docs/protocol.md has the wire; "rule n" below is section 15.n there.
 *
 * Include it before any system header. In exactly one source file write first:
 *
 *     #define LRWP_IMPLEMENTATION
 *     #include "lrwp.h"
 *
 * Everything happens on the thread that calls lrwp_run or lrwp_poll, your functions too. None of them may block for long:
 * what has to wait sets a timer with lrwp_after and answers later. A program whose functions do block sets `blocking`,
 * so that the proxy does not take its silence for death.
 */
#ifndef LRWP_H
#define LRWP_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lrwp_peer lrwp_peer;
typedef struct lrwp_request lrwp_request;

/* What a peer is. Zero it and set what you need; host, port, contexts and handle are a must. Nothing is copied. */
typedef struct lrwp_options {
    const char *host, *port;                    /* of the proxy */
    const char *const *contexts;                /* such as "/echo" or ".ext"; a NULL ends the list */
    const char *vhost;                          /* only for this host; NULL = for every host */
    const char *name;                           /* shown in the proxy's status */
    const void *secret;                         /* of the contexts; with one there is no fallback to 1.0 */
    size_t secret_length;
    unsigned capacity;                          /* requests at once; 0 = 1 */
    uint32_t window;                            /* octets of one body on their way to us; 0 = 256 KiB */
    size_t max_body;                            /* a longer one is answered 413; 0 = 64 MiB; not with `body` */
    int drain_seconds;                          /* how long open requests may take after lrwp_drain; 0 = 30 */
    int blocking;                               /* your functions may block for seconds: do not ping us */
    int repeatable;                             /* no STARTED before the handler: cheaper, see README.md */
    void (*handle)(lrwp_request *);             /* a request; with its whole body, unless `body` is set */
    void (*body)(lrwp_request *, const void *octets, size_t count, int end); /* body as it comes, after handle */
    const char *upgrades;                       /* protocols taken instead of HTTP, such as "websocket"; see lrwp_upgrade */
    void (*tunnel)(lrwp_request *, const void *octets, size_t count, int end); /* what the client sends after that */
    void (*timer)(lrwp_request *);              /* the time set with lrwp_after is over */
    void (*cancelled)(lrwp_request *);          /* nobody waits for the answer; still call lrwp_end, soon */
    const char *(*admit)(lrwp_request *);       /* NULL, or why not: another peer gets it. No effects in here */
    void (*log)(const char *line);              /* NULL = standard error */
} lrwp_options;

lrwp_peer *lrwp_open(const lrwp_options *options);
int lrwp_poll(lrwp_peer *peer, int timeout_ms); /* one round; 0 = drained, all is over */
void lrwp_run(lrwp_peer *peer);                 /* rounds until drained */
void lrwp_drain(lrwp_peer *peer);               /* finish, then leave; a signal handler may call it */
void lrwp_free(lrwp_peer *peer);

/* The answer: all at once, or head, writes, end. What is written goes out at the end of the round. `extra` is NULL or
 * more header lines, each with its CR LF. Every request needs exactly one lrwp_answer, lrwp_end or lrwp_fail. A head
 * that is not made of header fields (a control in a value, a name that is no token) becomes 500, with a line in the
 * log. */
const char *lrwp_env(const lrwp_request *r, const char *name); /* a CGI variable; "" when it is not there */
void lrwp_answer(lrwp_request *r, const char *status, const char *type, const char *extra, const void *body, size_t n);
void lrwp_head(lrwp_request *r, const char *status, const char *type, const char *extra);
void lrwp_write(lrwp_request *r, const void *octets, size_t count);
void lrwp_end(lrwp_request *r);
void lrwp_fail(lrwp_request *r, const char *reason); /* 502, or a cut when the head is out */
/* Answers 101, for a request whose HTTP_UPGRADE offers the protocol: from now on options.tunnel gets what the client
 * sends, lrwp_write sends to it, lrwp_end ends this direction only, lrwp_fail cuts the client (rule 12). It is over when
 * both directions have ended; when options.cancelled comes it ends by itself after your lrwp_end. */
void lrwp_upgrade(lrwp_request *r, const char *protocol, const char *extra);
void lrwp_after(lrwp_request *r, int ms);       /* calls options.timer once, then */
size_t lrwp_pending(const lrwp_request *r);     /* octets you wrote that have not yet gone to the proxy */

typedef struct lrwp_buffer {
    char *octets;
    size_t begin, end, size;
} lrwp_buffer;

/* A request is a slot of the connection. FREE -> GATHERING the body -> READY, its STARTED on the way out -> RUNNING, the
 * handler has it -> FREE, by way of ENDED while the proxy has not ended its direction (rule 4). */
enum lrwp_phase { LRWP_FREE, LRWP_GATHERING, LRWP_READY, LRWP_RUNNING, LRWP_ENDED };

struct lrwp_request {
    const char *body;                           /* yours to read until lrwp_end */
    size_t body_length;
    int cancelled;
    void *data;                                 /* yours */
    lrwp_peer *peer;
    /* From here on not yours. */
    uint32_t stream;
    enum lrwp_phase phase;
    int proxy_ended, has_head, over, in_turn;
    int tunnel, ended;                          /* 101 was answered; our END is out */
    int borrowed;                               /* env and body lie in the input, for this round only */
    const char *env;
    size_t env_length, head_left;
    lrwp_buffer own, out;                       /* env and body, when they have to stay; head_left of head, answer */
    uint64_t send_credit, receive_credit, owed;
    uint64_t mark;                              /* the handler may be entered when so many octets are written */
    int64_t timer;
    lrwp_request *next_ready, *next_turn;
};

#endif

#ifdef LRWP_IMPLEMENTATION

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define LRWP_HEAD_SIZE 12
#define LRWP_MAX_FRAME 65536u       /* ours, and the least that the proxy's may be */
#define LRWP_TURN 16384u            /* DATA is cut here, and streams take turns (rule 2) */
#define LRWP_UNLIMITED 4294967295u
#define LRWP_READ 262144u           /* octets asked for by one read */
#define LRWP_ENOUGH 131072u         /* more is not made ready before a write */
#define LRWP_KEPT 1048576u          /* a larger buffer is given back after use */
#define LRWP_HANDSHAKE_MS 5000
#define LRWP_LINGER_MS 1000
#define LRWP_LONGEST_DELAY_MS 10000

enum lrwp_type {
    LRWP_SETTINGS = 1, LRWP_REGISTER, LRWP_UNREGISTER, LRWP_REGISTERED, LRWP_REQUEST, LRWP_RESPONSE, LRWP_DATA,
    LRWP_STARTED, LRWP_REFUSED, LRWP_CANCEL, LRWP_WINDOW, LRWP_CAPACITY, LRWP_DRAIN, LRWP_PING, LRWP_PONG, LRWP_ERROR
};

/* DOWN -> CONNECTING -> HELLO -> SERVING -> LINGERING -> DOWN; from everywhere to DOWN. LINGERING has shut its write side
 * and reads to the end, because close() with unread octets is a reset, which loses what was written (rule 5). */
enum lrwp_state { LRWP_DOWN, LRWP_CONNECTING, LRWP_HELLO, LRWP_SERVING, LRWP_LINGERING };

struct lrwp_peer {
    lrwp_options options;
    volatile sig_atomic_t drain_asked;
    enum lrwp_state state;
    int fd, version, draining, has_settings, proved, pinged, timers;
    int64_t deadline, heard, redial_at;
    int delay, good;                /* back-off: the delay grows until a request has come */
    unsigned address, open;         /* which of the host's; slots with a request that is not over */
    uint64_t random;
    uint32_t window, max_frame, ping_seconds; /* the proxy's */
    uint64_t queued, written;       /* octets, of all time */
    lrwp_buffer in, out;
    lrwp_request *slots, *ready, *last_ready, *turns, *last_turn;
};

/* ---- SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for the proof of the secret ---- */

static const uint32_t lrwp_sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t lrwp_get32(const void *at) {
    const unsigned char *p = at;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void lrwp_put32(void *at, uint32_t value) {
    unsigned char *p = at;
    int i;
    for (i = 0; i < 4; i++)
        p[i] = (unsigned char)(value >> (24 - 8 * i));
}

static uint32_t lrwp_rotate(uint32_t x, int by) {
    return x >> by | x << (32 - by);
}

static void lrwp_sha256_block(uint32_t *state, const unsigned char *block) {
    uint32_t w[64], s[8], a, b;
    int i;
    for (i = 0; i < 16; i++)
        w[i] = lrwp_get32(block + 4 * i);
    for (; i < 64; i++) {
        a = lrwp_rotate(w[i - 15], 7) ^ lrwp_rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        b = lrwp_rotate(w[i - 2], 17) ^ lrwp_rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(s, state, sizeof s);
    for (i = 0; i < 64; i++) {
        a = s[7] + (lrwp_rotate(s[4], 6) ^ lrwp_rotate(s[4], 11) ^ lrwp_rotate(s[4], 25))
            + ((s[4] & s[5]) ^ (~s[4] & s[6])) + lrwp_sha256_k[i] + w[i];
        b = (lrwp_rotate(s[0], 2) ^ lrwp_rotate(s[0], 13) ^ lrwp_rotate(s[0], 22))
            + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += a;
        s[0] = a + b;
    }
    for (i = 0; i < 8; i++)
        state[i] += s[i];
}

/* The digest of what stands in `text`, below 2^29 octets, which must have room for 72 octets of padding behind it. */
static void lrwp_sha256(unsigned char *text, size_t length, unsigned char *digest) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t padded = (length + 9 + 63) / 64 * 64, at;
    int i;
    memset(text + length, 0, padded - length);
    text[length] = 0x80;
    lrwp_put32(text + padded - 4, (uint32_t)length * 8);
    for (at = 0; at < padded; at += 64)
        lrwp_sha256_block(state, text + at);
    for (i = 0; i < 8; i++)
        lrwp_put32(digest + 4 * i, state[i]);
}

static void lrwp_hmac(const void *secret, size_t n, const void *message, size_t length, unsigned char *digest) {
    unsigned char text[2048 + 72], key[1024 + 72] = {0};
    int i;
    memcpy(key, secret, n);
    if (n > 64) {
        lrwp_sha256(key, n, digest);
        memset(key, 0, sizeof key);
        memcpy(key, digest, 32);
    }
    for (i = 0; i < 64; i++)
        text[i] = key[i] ^ 0x36;
    memcpy(text + 64, message, length);
    lrwp_sha256(text, 64 + length, digest);
    for (i = 0; i < 64; i++)
        text[i] = key[i] ^ 0x5c;
    memcpy(text + 64, digest, 32);
    lrwp_sha256(text, 96, digest);
}

/* ---- small things ---- */

static void *lrwp_memory(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (memory == NULL) {
        fputs("lrwp: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static size_t lrwp_length(const lrwp_buffer *b) {
    return b->end - b->begin;
}

/* Room for count octets at octets + end. What lies in the buffer may move. */
static char *lrwp_room(lrwp_buffer *b, size_t count) {
    if (b->size - b->end < count && b->begin > 0) {
        memmove(b->octets, b->octets + b->begin, lrwp_length(b));
        b->end -= b->begin;
        b->begin = 0;
    }
    if (b->size - b->end < count) {
        b->size = b->end + count > 2 * b->size ? b->end + count : 2 * b->size;
        b->octets = lrwp_memory(b->octets, b->size);
    }
    return b->octets + b->end;
}

static void lrwp_put(lrwp_buffer *b, const void *octets, size_t count) {
    if (count > 0)
        memcpy(lrwp_room(b, count), octets, count);
    b->end += count;
}

static void lrwp_clear(lrwp_buffer *b) {
    b->begin = b->end = 0;
    if (b->size > LRWP_KEPT) {
        free(b->octets);
        memset(b, 0, sizeof *b);
    }
}

static int64_t lrwp_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* One line of the log: the event, then key=value. Octets of others are made harmless. */
static void lrwp_say(lrwp_peer *p, const char *format, ...) {
    char line[1200], *c;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (c = line; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    if (p->options.log != NULL)
        p->options.log(line);
    else
        fprintf(stderr, "%s\n", line);
}

/* ---- frames out ---- */

static void lrwp_queue(lrwp_peer *p, const void *octets, size_t count) {
    lrwp_put(&p->out, octets, count);
    p->queued += count;
}

static void lrwp_frame(lrwp_peer *p, int type, int end, uint32_t stream, const void *payload, size_t length) {
    char head[LRWP_HEAD_SIZE] = {0};
    lrwp_put32(head, (uint32_t)length);
    head[4] = (char)type;
    head[5] = (char)end;
    lrwp_put32(head + 8, stream);
    lrwp_queue(p, head, sizeof head);
    lrwp_queue(p, payload, length);
}

static void lrwp_text(lrwp_peer *p, int type, uint32_t stream, const char *text) {
    lrwp_frame(p, type, 0, stream, text, strlen(text) < 1000 ? strlen(text) : 1000);
}

/* Our direction has ended: nothing more goes out on this stream (rule 4). */
static void lrwp_over(lrwp_request *r) {
    r->phase = r->proxy_ended || r->peer->state != LRWP_SERVING ? LRWP_FREE : LRWP_ENDED;
    r->over = 1;
    r->timer = 0;
    r->peer->open--;
    lrwp_clear(&r->out);
    lrwp_clear(&r->own);
}

static void lrwp_turn(lrwp_request *r) {
    lrwp_peer *p = r->peer;
    if (r->in_turn)
        return;
    r->in_turn = 1;
    r->next_turn = NULL;
    *(p->turns == NULL ? &p->turns : &p->last_turn->next_turn) = r;
    p->last_turn = r;
}

/* Grants what the program has taken, in large portions; not while a program that answers as it reads is stuck with its
 * answer, so that its memory stays small. */
static void lrwp_grant(lrwp_request *r) {
    char four[4];
    if (r->proxy_ended || (r->over && !r->tunnel) || r->owed < r->peer->options.window / 2
        || ((r->peer->options.body != NULL || r->tunnel) && lrwp_length(&r->out) > 4 * LRWP_TURN))
        return;
    lrwp_put32(four, (uint32_t)r->owed);
    lrwp_frame(r->peer, LRWP_WINDOW, 0, r->stream, four, sizeof four);
    r->receive_credit += r->owed;
    r->owed = 0;
}

/* One frame of the answer, if window and progress allow one. A whole answer that fits is one frame (rule 2). */
static int lrwp_send_turn(lrwp_request *r) {
    lrwp_peer *p = r->peer;
    size_t head = r->head_left, body = lrwp_length(&r->out) - head, most = LRWP_TURN, n;
    int end;
    if (r->phase != LRWP_RUNNING || !r->has_head || r->cancelled || r->ended)
        return 0;
    if (head > 0 && (r->over || head + most > p->max_frame))
        most = head + body <= p->max_frame ? body : p->max_frame - head < most ? p->max_frame - head : most;
    n = body < most ? body : most;
    n = n < r->send_credit ? n : (size_t)r->send_credit;
    end = r->over && n == body && !(r->tunnel && head > 0);
    if (n == 0 && !end && head == 0)
        return 0;
    lrwp_frame(p, head > 0 ? LRWP_RESPONSE : LRWP_DATA, end, r->stream, r->out.octets + r->out.begin, head + n);
    r->out.begin += head + n;
    r->head_left = 0;
    if (r->out.begin == r->out.end)
        lrwp_clear(&r->out);
    if (p->window != LRWP_UNLIMITED)
        r->send_credit -= n;
    r->ended = end;
    if (end && (!r->tunnel || r->proxy_ended))
        lrwp_over(r);
    else
        lrwp_grant(r);
    return 1;
}

/* Makes frames ready, one of each stream in turn; a stream without window or octets leaves the circle. */
static void lrwp_fill(lrwp_peer *p) {
    while (p->turns != NULL && lrwp_length(&p->out) < LRWP_ENOUGH) {
        lrwp_request *r = p->turns;
        p->turns = r->next_turn;
        r->in_turn = 0;
        if (lrwp_send_turn(r))
            lrwp_turn(r);
    }
}

/* ---- the answer of a program ---- */

/* The handler's answer cannot be sent. */
static void lrwp_broken(lrwp_request *r, const char *why) {
    lrwp_say(r->peer, "failed why=\"%s\"", why);
    lrwp_answer(r, "500 Internal Server Error", "text/plain", NULL, "internal error\n", 15);
}

static int lrwp_is_value(const char *text, size_t length) {
    for (; length > 0; text++, length--)
        if (((unsigned char)*text < ' ' && *text != '\t') || *text == 127)
            return 0;
    return 1;
}

/* Whether it is three digits and a reason. */
static int lrwp_is_status(const char *text) {
    return strlen(text) >= 3 && strspn(text, "0123456789") == 3 && (text[3] == ' ' || text[3] == '\0')
        && lrwp_is_value(text, strlen(text));
}

/* Whether it is header lines, each with name, value and CR LF, and none of them Status. */
static int lrwp_is_lines(const char *text) {
    static const char token[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    while (text != NULL && *text != '\0') {
        size_t name = strspn(text, token);
        const char *end = strstr(text, "\r\n"), *at = "STATUS";
        size_t same = 0;
        while (same < 6 && (text[same] == at[same] || text[same] == at[same] + 32))
            same++;
        if (name == 0 || text[name] != ':' || end == NULL || (name == 6 && same == 6)
            || !lrwp_is_value(text + name + 1, (size_t)(end - text) - name - 1))
            return 0;
        text = end + 2;
    }
    return 1;
}

void lrwp_head(lrwp_request *r, const char *status, const char *type, const char *extra) {
    static const char format[] = "Status: %s\r\nContent-Type: %s\r\n%s\r\n";
    size_t most = sizeof format + strlen(status) + strlen(type) + (extra != NULL ? strlen(extra) : 0);
    if (r->phase != LRWP_RUNNING || r->over || r->cancelled || r->has_head)
        return;
    if (!lrwp_is_status(status) || !lrwp_is_value(type, strlen(type)) || !lrwp_is_lines(extra)) {
        lrwp_broken(r, "the head of the answer is not made of header fields");
        return;
    }
    if (r->peer->version == 3 && most > r->peer->max_frame) {
        lrwp_broken(r, "the head of the answer is too long");
        return;
    }
    r->head_left = (size_t)sprintf(lrwp_room(&r->out, most), format, status, type, extra != NULL ? extra : "");
    r->out.end += r->head_left;
    r->has_head = 1;
    lrwp_turn(r);
}

void lrwp_upgrade(lrwp_request *r, const char *protocol, const char *extra) {
    static const char format[] = "Status: 101 Switching Protocols\r\nUpgrade: %s\r\nConnection: Upgrade\r\n%s\r\n";
    size_t most = sizeof format + strlen(protocol) + (extra != NULL ? strlen(extra) : 0);
    if (r->phase != LRWP_RUNNING || r->over || r->cancelled || r->has_head)
        return;
    if (*lrwp_env(r, "HTTP_UPGRADE") == '\0' || r->peer->options.tunnel == NULL || most > r->peer->max_frame) {
        lrwp_fail(r, "no upgrade is possible");
        return;
    }
    if (!lrwp_is_value(protocol, strlen(protocol)) || !lrwp_is_lines(extra)) {
        lrwp_broken(r, "the head of the answer is not made of header fields");
        return;
    }
    r->head_left = (size_t)sprintf(lrwp_room(&r->out, most), format, protocol, extra != NULL ? extra : "");
    r->out.end += r->head_left;
    r->has_head = r->tunnel = 1;
    lrwp_turn(r);
}

void lrwp_write(lrwp_request *r, const void *octets, size_t count) {
    if (r->phase != LRWP_RUNNING || r->over || r->cancelled || !r->has_head)
        return;
    lrwp_put(&r->out, octets, count);
    lrwp_turn(r);
}

void lrwp_fail(lrwp_request *r, const char *reason) {
    if (r->phase != LRWP_RUNNING || (r->over && !r->tunnel))
        return;
    if (r->peer->version == 1 && !r->cancelled) { /* 1.0 cannot say it otherwise */
        r->has_head = 0;
        lrwp_clear(&r->out);
        lrwp_answer(r, "500 Internal Server Error", "text/plain", NULL, reason, strlen(reason));
        return;
    }
    if (r->peer->state == LRWP_SERVING && !(r->ended && r->proxy_ended))
        lrwp_text(r->peer, LRWP_CANCEL, r->stream, reason);
    lrwp_over(r);
}

void lrwp_end(lrwp_request *r) {
    char digits[16];
    if (r->phase != LRWP_RUNNING || r->over)
        return;
    if (r->cancelled || !r->has_head || r->peer->state != LRWP_SERVING) {
        lrwp_fail(r, r->cancelled ? "" : "ended without an answer");
        return;
    }
    r->over = 1;
    lrwp_turn(r);
    if (r->peer->version == 1) {
        snprintf(digits, sizeof digits, "%09lu", (unsigned long)lrwp_length(&r->out));
        lrwp_queue(r->peer, digits, 9);
        lrwp_queue(r->peer, r->out.octets + r->out.begin, lrwp_length(&r->out));
        lrwp_over(r);
    }
}

void lrwp_answer(lrwp_request *r, const char *status, const char *type, const char *extra, const void *body, size_t n) {
    lrwp_head(r, status, type, extra);
    lrwp_write(r, body, n);
    lrwp_end(r);
}

const char *lrwp_env(const lrwp_request *r, const char *name) {
    const char *entry = r->env, *end = r->env + r->env_length;
    size_t length = strlen(name);
    for (; entry < end; entry += strlen(entry) + 1)
        if (strncmp(entry, name, length) == 0 && entry[length] == '=')
            return entry + length + 1;
    return "";
}

void lrwp_after(lrwp_request *r, int ms) {
    r->timer = lrwp_now() + ms;
    r->peer->timers = 1;
}

size_t lrwp_pending(const lrwp_request *r) {
    return lrwp_length(&r->out);
}

/* ---- the life of the connection ---- */

/* Nobody waits any more for the answers of this connection. A slot whose handler has begun is free when that ends. */
static void lrwp_abandon(lrwp_peer *p) {
    unsigned i;
    p->ready = p->turns = NULL;
    for (i = 0; i < p->options.capacity; i++) {
        lrwp_request *r = &p->slots[i];
        r->in_turn = 0;
        r->proxy_ended = 1;
        if (r->phase == LRWP_ENDED) {
            r->phase = LRWP_FREE;
        } else if (r->phase == LRWP_RUNNING && !r->over) {
            r->cancelled = 1;
            if (p->options.cancelled != NULL)
                p->options.cancelled(r);
        } else if (r->phase != LRWP_FREE) {
            lrwp_over(r);
        }
    }
}

/* The connection is lost. The next dial comes soon after a good one, later and later while none is; with jitter, so
 * that peers that lost their proxy together do not come back together. */
static void lrwp_lose(lrwp_peer *p, const char *why) {
    if (!p->draining)
        lrwp_say(p, "lost version=%d.0 why=\"%s\"", p->version, why);
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
    p->state = LRWP_DOWN;
    p->version = 3; /* every new attempt begins there */
    lrwp_clear(&p->in);
    lrwp_clear(&p->out);
    lrwp_abandon(p);
    p->delay = p->good ? 100 : p->delay * 2 < LRWP_LONGEST_DELAY_MS ? p->delay * 2 : LRWP_LONGEST_DELAY_MS;
    p->good = 0;
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    p->redial_at = lrwp_now() + p->delay / 2 + (int64_t)((p->random >> 33) % (uint64_t)(p->delay / 2 + 1));
}

/* Shuts the write side and goes on reading, so that the other side gets all that was written (rule 5). */
static void lrwp_linger(lrwp_peer *p) {
    if (lrwp_length(&p->out) > 0 && send(p->fd, p->out.octets + p->out.begin, lrwp_length(&p->out), MSG_NOSIGNAL) < 0)
        lrwp_say(p, "unsent why=\"%s\"", strerror(errno));
    lrwp_clear(&p->out);
    shutdown(p->fd, SHUT_WR);
    p->state = LRWP_LINGERING;
    p->deadline = lrwp_now() + LRWP_LINGER_MS;
    lrwp_abandon(p);
}

/* The proxy has broken a rule. */
static void lrwp_fault(lrwp_peer *p, const char *rule) {
    lrwp_say(p, "fault rule=\"%s\"", rule);
    lrwp_text(p, LRWP_ERROR, 0, rule);
    lrwp_linger(p);
}

static void lrwp_dial(lrwp_peer *p) {
    struct addrinfo hints, *all = NULL, *one;
    unsigned count = 0, i;
    int on = 1;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(p->options.host, p->options.port, &hints, &all) != 0) {
        lrwp_lose(p, "unknown host");
        return;
    }
    for (one = all; one != NULL; one = one->ai_next)
        count++;
    for (one = all, i = p->address % count; i > 0; i--)
        one = one->ai_next;
    p->fd = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
    p->state = LRWP_CONNECTING;
    p->deadline = lrwp_now() + LRWP_HANDSHAKE_MS;
    p->has_settings = p->proved = p->pinged = 0;
    p->queued = p->written = 0;
    if (p->fd < 0 || fcntl(p->fd, F_SETFL, O_NONBLOCK) < 0
        || (connect(p->fd, one->ai_addr, one->ai_addrlen) < 0 && errno != EINPROGRESS)) {
        p->address++; /* a host may have several */
        lrwp_lose(p, strerror(errno));
    } else {
        setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        setsockopt(p->fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    }
    freeaddrinfo(all);
}

static void lrwp_queue_names(lrwp_peer *p, const char *context) {
    lrwp_queue(p, context, strlen(context));
    lrwp_queue(p, "\377", 1);
    lrwp_queue(p, p->options.vhost, strlen(p->options.vhost));
    lrwp_queue(p, "\377", 1);
}

static void lrwp_connected(lrwp_peer *p) {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(p->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
        p->address++;
        lrwp_lose(p, strerror(error));
        return;
    }
    p->state = LRWP_HELLO;
    if (p->version == 3)
        lrwp_queue(p, "\3773.0\377", 5);
    lrwp_queue_names(p, p->options.contexts[0]);
}

/* An older server: once more from the start, with 1.0, which has one context and one request at a time. */
static void lrwp_fall_back(lrwp_peer *p, const char *why) {
    char text[200];
    if (p->options.secret_length > 0) {
        snprintf(text, sizeof text, "no LRWP 3.0, and there is a secret: %s", why);
        lrwp_lose(p, text);
        return;
    }
    lrwp_say(p, "fallback version=1.0 why=\"%s\"", why);
    close(p->fd);
    lrwp_clear(&p->in);
    p->version = 1;
    lrwp_dial(p);
}

static void lrwp_serve(lrwp_peer *p) {
    const lrwp_options *o = &p->options;
    const char *const *context = o->contexts;
    char settings[500];
    int n;
    p->state = LRWP_SERVING;
    p->max_frame = LRWP_MAX_FRAME;
    lrwp_say(p, "registered context=%s version=%d.0", *context, p->version);
    if (p->version == 1)
        return;
    n = snprintf(settings, sizeof settings, "name=%.100s%ccapacity=%u%cwindow=%lu%cstarted=%d%cstream=%d%cping=%d%c",
                 o->name, 0, o->capacity, 0, (unsigned long)o->window, 0, !o->repeatable, 0, o->body != NULL, 0,
                 !o->blocking, 0);
    if (o->upgrades != NULL)
        n += snprintf(settings + n, sizeof settings - (size_t)n, "upgrade=%.150s%c", o->upgrades, 0);
    lrwp_frame(p, LRWP_SETTINGS, 0, 0, settings, (size_t)n);
    while (*++context != NULL) { /* a frame by hand: the head with the length of the names, then the names */
        lrwp_frame(p, LRWP_REGISTER, 0, 0, "", 0);
        lrwp_put32(p->out.octets + p->out.end - LRWP_HEAD_SIZE, (uint32_t)(strlen(*context) + strlen(o->vhost) + 2));
        lrwp_queue_names(p, *context);
    }
}

/* The answer to the challenge: HMAC of challenge, appname, FF, vhost, the names as sent. */
static void lrwp_prove(lrwp_peer *p, const char *challenge) {
    unsigned char message[1100], digest[32];
    int n;
    memcpy(message, challenge, 32);
    n = snprintf((char *)message + 32, sizeof message - 32, "%s\377%s", p->options.contexts[0], p->options.vhost);
    lrwp_hmac(p->options.secret, p->options.secret_length, message, 32 + (size_t)n, digest);
    lrwp_queue(p, "000000032", 9);
    lrwp_queue(p, digest, 32);
    p->proved = 1;
}

/* Whether the input begins with a text, or may yet. */
static int lrwp_begins(const lrwp_peer *p, const char *text) {
    size_t n = lrwp_length(&p->in), length = strlen(text);
    return n > 0 && memcmp(p->in.octets + p->in.begin, text, n < length ? n : length) == 0;
}

/* The reply to the hello, as far as it has come. REJECTED is an answer of a proxy that speaks 3.0 and is never a reason
 * to fall back; any other text is. */
static void lrwp_reply(lrwp_peer *p) {
    const char *in = p->in.octets + p->in.begin, *ok = p->version == 3 ? "OK\377" : "OK";
    size_t n = lrwp_length(&p->in);
    char text[120];
    snprintf(text, sizeof text, "%.*s", n < 100 ? (int)n : 100, in);
    if (lrwp_begins(p, ok)) {
        if (n >= strlen(ok)) {
            p->in.begin += strlen(ok);
            lrwp_serve(p);
        }
    } else if (p->version == 3 && lrwp_begins(p, "CHALLENGE\377000000032")) {
        if (p->proved || p->options.secret_length == 0) {
            lrwp_lose(p, "a secret is asked for, and there is none");
        } else if (n >= 51) {
            lrwp_prove(p, in + 19);
            p->in.begin += 51;
        }
    } else if (p->version == 3 && !lrwp_begins(p, "REJECTED\377")) {
        lrwp_fall_back(p, text);
    } else if (n > 1100 || (n > 9 && memchr(in + 9, '\377', n - 9) != NULL)) {
        lrwp_say(p, "refused context=%s why=\"%s\"", p->options.contexts[0], text + 9);
        lrwp_lose(p, "refused");
    }
}

/* ---- requests in ---- */

/* Copies what lies in the input, which the next read takes for itself. */
static void lrwp_own(lrwp_request *r) {
    if (r->borrowed) {
        lrwp_put(&r->own, r->env, r->env_length);
        lrwp_put(&r->own, r->body, r->body_length);
        r->borrowed = 0;
    }
    r->env = r->own.octets;
    r->body = r->own.octets + r->env_length;
    r->body_length = r->own.end - r->env_length;
}

static void lrwp_ready(lrwp_request *r) {
    lrwp_peer *p = r->peer;
    r->phase = LRWP_READY;
    r->mark = 0;
    r->next_ready = NULL;
    if (p->version == 3 && !p->options.repeatable) {
        lrwp_frame(p, LRWP_STARTED, 0, r->stream, "", 0);
        r->mark = p->queued;
    }
    *(p->ready == NULL ? &p->ready : &p->last_ready->next_ready) = r;
    p->last_ready = r;
}

/* Hands body to a program that takes it as it comes. */
static void lrwp_deliver(lrwp_request *r, const char *octets, size_t count) {
    void (*taker)(lrwp_request *, const void *, size_t, int) = r->peer->options.body;
    if (r->phase != LRWP_RUNNING || (r->over && !r->tunnel) || r->cancelled)
        return;
    if (r->tunnel)
        taker = r->peer->options.tunnel;
    r->owed += count;
    if (count > 0 || r->proxy_ended)
        taker(r, octets, count, r->proxy_ended);
    lrwp_grant(r);
}

/* Enters the handlers whose STARTED is written: octets are counted, so that no handler can be early (rule 5). */
static void lrwp_enter(lrwp_peer *p) {
    const lrwp_options *o = &p->options;
    while (p->ready != NULL && p->ready->mark <= p->written && p->state == LRWP_SERVING) {
        lrwp_request *r = p->ready;
        p->ready = r->next_ready;
        if (r->phase != LRWP_READY)
            continue; /* cancelled while it waited */
        r->phase = LRWP_RUNNING;
        if (o->body == NULL && r->body_length > o->max_body) {
            lrwp_answer(r, "413 Content Too Large", "text/plain", NULL, "too large\n", 10);
            continue;
        }
        o->handle(r);
        if (o->body != NULL && !r->tunnel)
            lrwp_deliver(r, r->body, r->body_length);
        if (r->phase == LRWP_RUNNING && !r->over)
            lrwp_own(r);
    }
}

static void lrwp_begin(lrwp_request *r, const char *env, size_t env_length, const char *body, size_t length, int end) {
    r->phase = LRWP_GATHERING;
    r->peer->open++;
    r->peer->good = 1;
    r->cancelled = r->has_head = r->over = r->tunnel = r->ended = 0;
    r->proxy_ended = end;
    r->borrowed = 1;
    r->env = env;
    r->env_length = env_length;
    r->body = body;
    r->body_length = length;
    r->owed = r->head_left = 0;
    r->data = NULL;
}

static void lrwp_on_request(lrwp_peer *p, lrwp_request *r, const char *payload, size_t n, int end) {
    const char *why_not = NULL;
    size_t env = n >= 4 ? lrwp_get32(payload) : 0;
    if (r == NULL || r->phase != LRWP_FREE) {
        lrwp_fault(p, "REQUEST on a stream that is not free");
    } else if (n < 4 || env > n - 4 || (env > 0 && payload[3 + env] != '\0')) {
        lrwp_fault(p, "REQUEST with a broken env block");
    } else if (n - 4 - env > p->options.window) {
        lrwp_fault(p, "more body than its window");
    } else {
        lrwp_begin(r, payload + 4, env, payload + 4 + env, n - 4 - env, end);
        r->send_credit = p->window;
        r->receive_credit = p->options.window - r->body_length;
        if (p->draining)
            why_not = "draining"; /* it has crossed our DRAIN, and waits for another connection (rule 6) */
        else if (p->options.admit != NULL)
            why_not = p->options.admit(r);
        if (why_not != NULL) {
            lrwp_text(p, LRWP_REFUSED, r->stream, why_not);
            lrwp_over(r);
        } else if (end || p->options.body != NULL || *lrwp_env(r, "HTTP_UPGRADE") != '\0') {
            lrwp_ready(r);
        } else {
            r->owed = r->body_length;
            lrwp_own(r);
        }
    }
}

static void lrwp_on_data(lrwp_peer *p, lrwp_request *r, const char *payload, size_t n, int end) {
    int stream = p->options.body != NULL || r->tunnel;
    if (r->proxy_ended || r->phase == LRWP_FREE)
        return;
    if (r->phase == LRWP_ENDED) {
        r->phase = end ? LRWP_FREE : LRWP_ENDED;
    } else if (n > r->receive_credit) {
        lrwp_fault(p, "more body than its window");
    } else {
        r->receive_credit -= n;
        r->proxy_ended = end;
        if (r->phase == LRWP_RUNNING && stream) {
            lrwp_deliver(r, payload, n);
            if (r->tunnel && r->ended && end && r->phase == LRWP_RUNNING)
                lrwp_over(r);
        } else if (r->phase != LRWP_RUNNING) {
            lrwp_own(r);
            lrwp_put(&r->own, payload, n);
            lrwp_own(r);
            r->owed += stream ? 0 : n;
            if (r->phase == LRWP_GATHERING && (end || r->body_length > p->options.max_body))
                lrwp_ready(r);
            else if (!stream)
                lrwp_grant(r);
        }
    }
}

static void lrwp_on_cancel(lrwp_peer *p, lrwp_request *r) {
    int running = r->phase == LRWP_RUNNING && !r->over;
    if (r->phase == LRWP_ENDED)
        r->phase = LRWP_FREE;
    if (r->phase == LRWP_FREE)
        return;
    r->proxy_ended = r->cancelled = 1;
    lrwp_clear(&r->out);
    if (r->tunnel && r->over) { /* of a tunnel the program still heard the other direction */
        if (p->options.cancelled != NULL)
            p->options.cancelled(r);
        lrwp_fail(r, "");
    } else if (!running) {
        lrwp_text(p, LRWP_CANCEL, r->stream, "");
        lrwp_over(r);
    } else if (p->options.cancelled != NULL) { /* the program ends it, and that frees the slot */
        p->options.cancelled(r);
    }
}

static void lrwp_on_window(lrwp_peer *p, lrwp_request *r, const char *payload, size_t n) {
    if (n == 4 && (p->window == LRWP_UNLIMITED || r->phase == LRWP_FREE || r->phase == LRWP_ENDED))
        return;
    if (n != 4 || r->send_credit + lrwp_get32(payload) > LRWP_UNLIMITED) {
        lrwp_fault(p, "a broken WINDOW");
        return;
    }
    r->send_credit += lrwp_get32(payload);
    lrwp_turn(r);
}

static void lrwp_on_settings(lrwp_peer *p, const char *payload, size_t n) {
    const char *at = payload, *end = payload + n;
    p->has_settings = 1;
    p->window = LRWP_MAX_FRAME;
    p->ping_seconds = 0;
    if (n > 0 && end[-1] != '\0') {
        lrwp_fault(p, "SETTINGS without a NUL at the end");
        return;
    }
    for (; at < end; at += strlen(at) + 1) {
        uint32_t *known = strncmp(at, "window=", 7) == 0 ? &p->window
            : strncmp(at, "max-frame=", 10) == 0 ? &p->max_frame
            : strncmp(at, "ping=", 5) == 0 ? &p->ping_seconds : NULL;
        const char *value = known != NULL ? strchr(at, '=') + 1 : "";
        unsigned long long number = strtoull(value, NULL, 10);
        if (known == NULL)
            continue; /* rule: unknown names are skipped */
        if (*value == '\0' || value[strspn(value, "0123456789")] != '\0' || number > LRWP_UNLIMITED
            || (known == &p->max_frame && number < LRWP_MAX_FRAME)) {
            lrwp_fault(p, "SETTINGS with a bad value");
            return;
        }
        *known = (uint32_t)number;
    }
}

/* The proxy's answer to REGISTER: appname FF vhost FF text FF, where no text means yes. */
static void lrwp_on_registered(lrwp_peer *p, const char *payload, size_t n) {
    const char *vhost = memchr(payload, '\377', n);
    const char *text = vhost != NULL ? memchr(vhost + 1, '\377', (size_t)(payload + n - vhost - 1)) : NULL;
    if (text != NULL && text + 2 < payload + n)
        lrwp_say(p, "refused context=%.*s why=\"%.*s\"", (int)(vhost - payload), payload,
                 (int)(payload + n - text - 2), text + 1);
    else if (text != NULL)
        lrwp_say(p, "registered context=%.*s version=3.0", (int)(vhost - payload), payload);
}

static void lrwp_on_frame(lrwp_peer *p, int type, int end, uint32_t stream, const char *payload, size_t n) {
    lrwp_request *r = stream >= 1 && stream <= p->options.capacity ? &p->slots[stream - 1] : NULL;
    if (!p->has_settings && type != LRWP_SETTINGS) {
        lrwp_fault(p, "the first frame is not SETTINGS");
    } else if (type == LRWP_SETTINGS) {
        lrwp_on_settings(p, payload, n);
    } else if (type == LRWP_REQUEST) {
        lrwp_on_request(p, r, payload, n, end);
    } else if (type == LRWP_DATA && r != NULL) {
        lrwp_on_data(p, r, payload, n, end);
    } else if (type == LRWP_CANCEL && r != NULL) {
        lrwp_on_cancel(p, r);
    } else if (type == LRWP_WINDOW && r != NULL) {
        lrwp_on_window(p, r, payload, n);
    } else if (type == LRWP_PING) {
        lrwp_frame(p, LRWP_PONG, 0, 0, payload, n);
    } else if (type == LRWP_REGISTERED) {
        lrwp_on_registered(p, payload, n);
    } else if (type == LRWP_DRAIN) { /* answers go on; the proxy closes after the last one, then we dial again */
        lrwp_say(p, "drain by=proxy");
    } else if (type == LRWP_ERROR) {
        lrwp_say(p, "error by=proxy text=\"%.*s\"", (int)n, payload);
        lrwp_linger(p);
    }
}

static void lrwp_frames(lrwp_peer *p) {
    while (p->state == LRWP_SERVING && lrwp_length(&p->in) >= LRWP_HEAD_SIZE) {
        const char *head = p->in.octets + p->in.begin;
        size_t n = lrwp_get32(head);
        if (n > LRWP_MAX_FRAME) {
            lrwp_fault(p, "a frame longer than max-frame");
        } else if (lrwp_length(&p->in) >= LRWP_HEAD_SIZE + n) {
            p->in.begin += LRWP_HEAD_SIZE + n;
            lrwp_on_frame(p, head[4], head[5] & 1, lrwp_get32(head + 8), head + LRWP_HEAD_SIZE, n);
        } else {
            return;
        }
    }
}

/* The length at an offset of the input: nine digits; -1 while they have not come, -2 when they are none. */
static long lrwp_digits(const lrwp_peer *p, size_t offset) {
    const char *at = p->in.octets + p->in.begin + offset;
    long value = 0;
    int i;
    if (lrwp_length(&p->in) < offset + 9)
        return -1;
    for (i = 0; i < 9; i++)
        value = at[i] >= '0' && at[i] <= '9' && value >= 0 ? value * 10 + at[i] - '0' : -2;
    return value;
}

/* A request of LRWP 1.0: length, env block, length, body. */
static void lrwp_old_request(lrwp_peer *p) {
    long env = lrwp_digits(p, 0), body = env >= 0 ? lrwp_digits(p, 9 + (size_t)env) : -1;
    const char *at = p->in.octets + p->in.begin + 9;
    if (env == -2 || body == -2 || p->slots->phase != LRWP_FREE || body > (long)p->options.max_body
        || (body >= 0 && env > 0 && at[env - 1] != '\0')) {
        lrwp_lose(p, "a broken or too large request");
    } else if (body >= 0 && lrwp_length(&p->in) >= 18 + (size_t)env + (size_t)body) {
        lrwp_begin(p->slots, at, (size_t)env, at + env + 9, (size_t)body, 1);
        p->in.begin += 18 + (size_t)env + (size_t)body;
        lrwp_ready(p->slots);
    }
}

/* ---- the rounds ---- */

/* Writes all that is ready, in as few system calls as the socket allows. */
static void lrwp_flush(lrwp_peer *p) {
    while (p->state == LRWP_HELLO || p->state == LRWP_SERVING) {
        ssize_t n;
        lrwp_fill(p);
        if (lrwp_length(&p->out) == 0)
            return;
        n = send(p->fd, p->out.octets + p->out.begin, lrwp_length(&p->out), MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            lrwp_lose(p, strerror(errno));
        if (n <= 0)
            return;
        p->written += (uint64_t)n;
        p->out.begin += (size_t)n;
        if (lrwp_length(&p->out) > 0)
            return;
        lrwp_clear(&p->out);
    }
}

/* Handlers stand between two writes: the first carries the STARTED, the second the answers of all of them. */
static void lrwp_round(lrwp_peer *p) {
    lrwp_request *r;
    if (p->ready != NULL && p->ready->mark > p->written)
        lrwp_flush(p);
    lrwp_enter(p);
    for (r = p->ready; r != NULL; r = r->next_ready)
        if (r->phase == LRWP_READY)
            lrwp_own(r);
    lrwp_flush(p);
}

static void lrwp_read(lrwp_peer *p) {
    ssize_t n = recv(p->fd, lrwp_room(&p->in, LRWP_READ), LRWP_READ, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        const char *why = n == 0 ? "the proxy has closed" : strerror(errno);
        if (p->state == LRWP_HELLO && p->version == 3 && lrwp_begins(p, "OK")) {
            lrwp_fall_back(p, "a bare OK");
            return;
        }
        if (p->state == LRWP_HELLO && lrwp_length(&p->in) > 0)
            lrwp_say(p, "refused context=%s why=\"%.*s\"", p->options.contexts[0], (int)lrwp_length(&p->in),
                     p->in.octets);
        lrwp_lose(p, why);
        return;
    }
    p->in.end += (size_t)n;
    p->heard = lrwp_now();
    p->pinged = 0;
    if (p->state == LRWP_HELLO)
        lrwp_reply(p);
    if (p->state == LRWP_SERVING && p->version == 3)
        lrwp_frames(p);
    else if (p->state == LRWP_SERVING && lrwp_length(&p->in) > 0)
        lrwp_old_request(p);
    else if (p->state == LRWP_LINGERING)
        lrwp_clear(&p->in);
}

/* What is due though no octet has come. */
static void lrwp_tick(lrwp_peer *p, int64_t now) {
    int64_t quiet = p->version == 3 && p->ping_seconds > 0 ? (now - p->heard) / 1000 / p->ping_seconds : 0;
    unsigned i;
    for (i = 0; p->timers && i < p->options.capacity; i++) {
        lrwp_request *r = &p->slots[i];
        if (r->timer != 0 && r->timer <= now && r->phase == LRWP_RUNNING) {
            r->timer = 0;
            p->options.timer(r);
        }
    }
    if (p->state == LRWP_DOWN)
        return;
    if (p->state == LRWP_SERVING && !p->draining) {
        if (quiet >= 3) { /* the proxy pings first; when it does not, we ask once, then give up */
            lrwp_lose(p, "the proxy is silent");
        } else if (quiet >= 2 && !p->pinged) {
            p->pinged = 1;
            lrwp_frame(p, LRWP_PING, 0, 0, "are you?", 8);
        }
    } else if (p->state == LRWP_SERVING && p->version == 1 && p->open == 0 && lrwp_length(&p->out) == 0) {
        lrwp_linger(p);
    } else if (now >= p->deadline) {
        if (p->state == LRWP_SERVING)
            lrwp_linger(p);
        else if (p->state == LRWP_HELLO && p->version == 3 && (lrwp_length(&p->in) == 0 || lrwp_begins(p, "OK")))
            lrwp_fall_back(p, "no reply that is known");
        else
            lrwp_lose(p, "out of time");
    }
}

/* From now on every REQUEST is refused, and those that have come are finished; then the proxy closes (rule 10). */
static void lrwp_start_drain(lrwp_peer *p) {
    p->draining = 1;
    lrwp_say(p, "drain by=peer");
    p->deadline = lrwp_now() + 1000 * (int64_t)p->options.drain_seconds;
    if (p->state == LRWP_SERVING && p->version == 3)
        lrwp_frame(p, LRWP_DRAIN, 0, 0, "", 0);
    else if (p->state == LRWP_CONNECTING || p->state == LRWP_HELLO)
        lrwp_lose(p, "");
}

/* How long poll may wait: to the next thing that is due. */
static int lrwp_patience(lrwp_peer *p, int timeout) {
    int64_t now = lrwp_now(), next = now + timeout;
    unsigned i, timers = 0;
    for (i = 0; p->timers && i < p->options.capacity; i++)
        if (p->slots[i].timer != 0) {
            timers++;
            next = p->slots[i].timer < next ? p->slots[i].timer : next;
        }
    p->timers = timers > 0;
    if (p->state == LRWP_DOWN && p->redial_at < next)
        next = p->redial_at;
    return next > now ? (int)(next - now) : 0;
}

int lrwp_poll(lrwp_peer *p, int timeout) {
    struct pollfd fd;
    if (p->drain_asked && !p->draining)
        lrwp_start_drain(p);
    if (p->state == LRWP_DOWN && p->draining && (p->open == 0 || lrwp_now() >= p->deadline))
        return 0;
    if (p->state == LRWP_DOWN && p->open == 0 && lrwp_now() >= p->redial_at)
        lrwp_dial(p); /* not while a handler has yet to end: it still has its slot */
    lrwp_round(p);
    fd.fd = p->fd;
    fd.events = p->state == LRWP_CONNECTING ? POLLOUT : lrwp_length(&p->out) > 0 ? POLLIN | POLLOUT : POLLIN;
    if (poll(&fd, 1, lrwp_patience(p, timeout)) < 0)
        return 1;
    if (p->state == LRWP_CONNECTING && fd.revents != 0)
        lrwp_connected(p);
    else if (p->state != LRWP_DOWN && (fd.revents & (POLLIN | POLLHUP | POLLERR)) != 0)
        lrwp_read(p);
    lrwp_round(p);
    lrwp_tick(p, lrwp_now());
    return 1;
}

void lrwp_run(lrwp_peer *p) {
    while (lrwp_poll(p, 500)) /* not for ever: a signal may come just before poll */
        continue;
}

lrwp_peer *lrwp_open(const lrwp_options *options) {
    lrwp_peer *p = memset(lrwp_memory(NULL, sizeof *p), 0, sizeof *p);
    lrwp_options *o = &p->options;
    unsigned i;
    *o = *options;
    o->vhost = o->vhost != NULL ? o->vhost : "";
    o->name = o->name != NULL ? o->name : "lrwp.h";
    o->capacity = o->capacity > 0 ? o->capacity : 1;
    o->window = o->window > 0 ? o->window : 4 * LRWP_MAX_FRAME;
    o->max_body = o->max_body > 0 ? o->max_body : 64 * 1024 * 1024;
    o->drain_seconds = o->drain_seconds > 0 ? o->drain_seconds : 30;
    o->secret_length = o->secret_length < 1024 ? o->secret_length : 1024;
    p->slots = memset(lrwp_memory(NULL, o->capacity * sizeof *p->slots), 0, o->capacity * sizeof *p->slots);
    for (i = 0; i < o->capacity; i++) {
        p->slots[i].peer = p;
        p->slots[i].stream = i + 1;
    }
    p->fd = -1;
    p->version = 3;
    p->delay = 50;
    p->random = (uint64_t)lrwp_now() * 1000003 + (uint64_t)getpid();
    return p;
}

void lrwp_drain(lrwp_peer *p) {
    p->drain_asked = 1;
}

void lrwp_free(lrwp_peer *p) {
    unsigned i;
    p->draining = 1;
    lrwp_lose(p, "");
    for (i = 0; i < p->options.capacity; i++) {
        free(p->slots[i].own.octets);
        free(p->slots[i].out.octets);
    }
    free(p->slots);
    free(p->in.octets);
    free(p->out.octets);
    free(p);
}

#endif
