/*
 * An LRWP peer: see lrwp.h. It speaks LRWP 3.1 with a key, else 3.0, and falls back to 1.0. docs/protocol.md has the wire;
 * "rule n" below is section 15.n there.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "lrwp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define HEAD_SIZE 12u
#define MAX_FRAME 65536u            /* ours, and the least that the proxy's may be */
#define TURN_SIZE 16384u            /* DATA is cut here, and streams take turns (rule 2) */
#define UNLIMITED 4294967295u
#define READ_SIZE 262144u           /* bytes taken in by one round of a connection, or a little more */
#define ENOUGH 131072u              /* more is not made ready before a write */
#define KEPT 1048576u               /* a larger buffer is given back after use */
#define LONGEST_NAME 200u           /* of a context or virtual host, as the proxy has it */
#define LONGEST_STARTUP 1024u
#define LONGEST_KEY 256u            /* as the proxy has it */
#define LONGEST_SECRET 1024u
#define LONGEST_LABEL 400u
#define MOST_REQUESTS 65536u
#define LONGEST_DRAIN 86400u        /* seconds */
#define HANDSHAKE_MS 5000           /* from the dial to the acceptance */
#define LINGER_MS 1000
#define FIRST_DELAY_MS 100
#define LONGEST_DELAY_MS 10000
#define LOOK_UP_MS 30000            /* how often a name is looked up while nothing is lost */
#define ASK_AGAIN_MS 30000          /* when a refused context is asked for again */

enum type {
    SETTINGS = 1, REGISTER, UNREGISTER, REGISTERED, REQUEST, RESPONSE, DATA, STARTED, REFUSED, CANCEL, WINDOW, CAPACITY,
    DRAIN, PING, PONG, ERROR
};

typedef struct buffer {
    char *bytes;
    size_t begin, end, size;
} buffer;

/* A request is a slot of its connection. FREE -> GATHERING the body -> WAITING while all handlers are busy -> READY, its
 * STARTED on the way out -> RUNNING, the handler has it -> FREE, by way of ENDED while the proxy has not ended its
 * direction (rule 4). */
enum phase { FREE, GATHERING, WAITING, READY, RUNNING, ENDED };

/* Slots stand in line for a handler's place, for their STARTED to be written, and for a turn to send. One that need not
 * stand there any more is passed over when it comes to the front. */
enum line { FOR_A_PLACE, FOR_STARTED, FOR_A_TURN, LINES };

typedef struct slot {
    lrwp_request request; /* first: a request is its slot */
    struct connection *connection;
    uint32_t stream;
    enum phase phase;
    int proxy_ended, has_head, over; /* over: the program has ended it */
    int refused;                     /* 500 was answered instead: what the program writes goes nowhere */
    int tunnel, ended;               /* 101 was answered; our END is out */
    int borrowed;                    /* env and body lie in the input, for this round only */
    const char *env;
    size_t env_length, head_left;
    buffer own, out;                 /* env and body, when they have to stay; head_left of head, answer */
    uint64_t send_credit, receive_credit, owed;
    uint64_t late;                   /* granted behind our END: the next request may use it (rule 12.8) */
    uint64_t mark;                   /* the handler may be entered when so many bytes are written */
    int64_t timer;
    struct slot *next[LINES];
    char stands[LINES];
} slot;

typedef struct line_of_slots {
    slot *first, *last;
} line_of_slots;

/* DOWN -> CONNECTING -> SECURING, inside TLS only -> HELLO -> SERVING -> LINGERING -> DOWN; from everywhere to DOWN.
 * LINGERING writes what is left, ends its direction and reads to the end, because close() with unread bytes is a reset,
 * which loses what was written (rule 5). */
enum state { DOWN, CONNECTING, SECURING, HELLO, SERVING, LINGERING };

typedef struct address {
    struct sockaddr_storage at;
    socklen_t length;
} address;

/* One connection: to one address, or to the first of a machine's loopback addresses that answers. */
typedef struct connection {
    lrwp_peer *peer;
    struct proxy *proxy;
    char label[LONGEST_LABEL];  /* for the log */
    address *candidates;
    unsigned candidate_count, candidate, tried;
    int wanted;                 /* the proxy's name still has the address */
    enum state state;
    int fd, version;
    void *session;              /* TLS, or NULL */
    int read_waits_for, write_waits_for; /* POLLIN or POLLOUT */
    int more;                   /* the session may hold bytes that poll does not know of */
    int shut;                   /* LINGERING: our direction has ended */
    unsigned char certificate[32];
    char startup[LONGEST_STARTUP + 1];
    size_t startup_length;
    int has_settings, proved;
    unsigned lead;              /* the context of the startup string: the next one when it was refused */
    char *refused;              /* of each context: whether to ask again */
    int64_t deadline, heard, redial_at, ask_again_at;
    int64_t pinged_at;          /* by us, because the proxy was silent; 0 = not since it was heard */
    int unreached;              /* told once, not at every dial */
    int delay, good;            /* back-off: the delay grows until a request has come */
    unsigned open;              /* slots with a request that is not over */
    uint32_t window, max_frame, ping_seconds; /* the proxy's */
    uint64_t queued, written;   /* bytes, of all time */
    buffer in, out;
    slot *slots;
    line_of_slots started, turns;
} connection;

/* One entry of options.proxy. A name is looked up again from time to time and after a loss; each address it has gets a
 * connection, those of loopback one together. */
typedef struct proxy {
    char text[LONGEST_LABEL], host[256], port[8]; /* no host: text is unix:/path */
    int is_name;
    int64_t look_up_at;
    int delay;
    int looking;        /* where the thread's result comes from; -1 = there is none */
    pthread_t thread;
} proxy;

struct lrwp_peer {
    lrwp_options options;
    unsigned char key[LONGEST_KEY];
    size_t key_length;
    volatile sig_atomic_t drain_asked;
    int draining, timers;
    int64_t deadline;
    unsigned running, context_count, proxy_count, connection_count; /* running: handlers that are busy */
    uint64_t random;
    proxy *proxies;
    connection **connections;
    struct pollfd *polled;
    line_of_slots waiting;
};

static char instance[33]; /* of this process, with its id behind it: a fork is another one */

/* ---- SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for the proofs ---- */

static const uint32_t sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t get32(const void *at) {
    const unsigned char *p = at;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put32(void *at, uint32_t value) {
    unsigned char *p = at;
    int i;
    for (i = 0; i < 4; i++)
        p[i] = (unsigned char)(value >> (24 - 8 * i));
}

static uint32_t rotate(uint32_t x, unsigned by) {
    return x >> by | x << (32 - by);
}

static void sha256_block(uint32_t *state, const unsigned char *block) {
    uint32_t w[64], s[8], a, b;
    int i;
    for (i = 0; i < 16; i++)
        w[i] = get32(block + 4 * i);
    for (; i < 64; i++) {
        a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(s, state, sizeof s);
    for (i = 0; i < 64; i++) {
        a = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25))
            + ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha256_k[i] + w[i];
        b = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22))
            + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += a;
        s[0] = a + b;
    }
    for (i = 0; i < 8; i++)
        state[i] += s[i];
}

/* The digest of what stands in `text`, below 2^29 bytes, which must have room for 72 bytes of padding behind it. */
static void sha256(unsigned char *text, size_t length, unsigned char *digest) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t padded = (length + 9 + 63) / 64 * 64, at;
    int i;
    memset(text + length, 0, padded - length);
    text[length] = 0x80;
    put32(text + padded - 4, (uint32_t)length * 8);
    for (at = 0; at < padded; at += 64)
        sha256_block(state, text + at);
    for (i = 0; i < 8; i++)
        put32(digest + 4 * i, state[i]);
}

static void hmac(const void *secret, size_t n, const void *message, size_t length, unsigned char *digest) {
    unsigned char text[2048 + 72], key[LONGEST_SECRET + 72] = {0};
    int i;
    memcpy(key, secret, n);
    if (n > 64) {
        sha256(key, n, digest);
        memset(key, 0, sizeof key);
        memcpy(key, digest, 32);
    }
    for (i = 0; i < 64; i++)
        text[i] = key[i] ^ 0x36;
    memcpy(text + 64, message, length);
    sha256(text, 64 + length, digest);
    for (i = 0; i < 64; i++)
        text[i] = key[i] ^ 0x5c;
    memcpy(text + 64, digest, 32);
    sha256(text, 96, digest);
}

/* Takes the same time wherever they differ. */
static int same_proof(const unsigned char *one, const unsigned char *other) {
    unsigned difference = 0;
    int i;
    for (i = 0; i < 32; i++)
        difference |= (unsigned)(one[i] ^ other[i]);
    return difference == 0;
}

/* ---- small things ---- */

static void *memory(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (memory == NULL) {
        fputs("lrwp: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static size_t length(const buffer *b) {
    return b->end - b->begin;
}

/* Room for count bytes at bytes + end. What lies in the buffer may move. */
static char *room(buffer *b, size_t count) {
    if (b->size - b->end < count && b->begin > 0) {
        memmove(b->bytes, b->bytes + b->begin, length(b));
        b->end -= b->begin;
        b->begin = 0;
    }
    if (b->size - b->end < count) {
        b->size = b->end + count > 2 * b->size ? b->end + count : 2 * b->size;
        b->bytes = memory(b->bytes, b->size);
    }
    return b->bytes + b->end;
}

static void put(buffer *b, const void *bytes, size_t count) {
    if (count > 0)
        memcpy(room(b, count), bytes, count);
    b->end += count;
}

static void clear(buffer *b) {
    b->begin = b->end = 0;
    if (b->size > KEPT) {
        free(b->bytes);
        memset(b, 0, sizeof *b);
    }
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* One line of the log: the event, then key=value. Bytes of others are made harmless. */
static void say(const lrwp_options *o, const char *format, ...) {
    char line[1200], *c;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (c = line; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    if (o->log != NULL)
        o->log(line);
    else
        fprintf(stderr, "%s\n", line);
}

/* Random bytes that nobody can guess, or 0. */
static int get_random(void *to, size_t count) {
    int fd = open("/dev/urandom", O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, to, count);
    if (fd >= 0)
        close(fd);
    return n == (ssize_t)count;
}

static void to_hex(const unsigned char *bytes, size_t count, char *text) {
    size_t i;
    for (i = 0; i < count; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
}

/* Spreads a delay over its second half, so that peers that lost their proxy together do not come back together. */
static int64_t jitter(lrwp_peer *p, int delay) {
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return delay / 2 + (int64_t)((p->random >> 33) % (uint64_t)(delay / 2 + 1));
}

static int longer(int delay) {
    return delay < LONGEST_DELAY_MS / 2 ? 2 * delay : LONGEST_DELAY_MS;
}

/* Why a key in a file cannot be used, or "". */
static const char *private_fault(const char *file) {
    static const char others[] = "others may read this key: chmod 600";
    struct stat about;
    return stat(file, &about) < 0 ? strerror(errno) : (about.st_mode & (S_IRWXG | S_IRWXO)) != 0 ? others : "";
}

/* ---- lines of slots ---- */

static void stand(line_of_slots *l, slot *s, enum line which) {
    if (s->stands[which])
        return;
    s->stands[which] = 1;
    s->next[which] = NULL;
    *(l->first == NULL ? &l->first : &l->last->next[which]) = s;
    l->last = s;
}

static slot *front(line_of_slots *l, enum line which) {
    slot *s = l->first;
    if (s != NULL) {
        l->first = s->next[which];
        s->stands[which] = 0;
    }
    return s;
}

/* ---- frames out ---- */

static void queue(connection *c, const void *bytes, size_t count) {
    put(&c->out, bytes, count);
    c->queued += count;
}

static void frame_head(connection *c, int type, int end, uint32_t stream, size_t length) {
    char head[HEAD_SIZE] = {0};
    put32(head, (uint32_t)length);
    head[4] = (char)type;
    head[5] = (char)end;
    put32(head + 8, stream);
    queue(c, head, sizeof head);
}

static void frame(connection *c, int type, int end, uint32_t stream, const void *payload, size_t length) {
    frame_head(c, type, end, stream, length);
    queue(c, payload, length);
}

static void text_frame(connection *c, int type, uint32_t stream, const char *text) {
    frame(c, type, 0, stream, text, strlen(text) < 1000 ? strlen(text) : 1000);
}

static void register_frame(connection *c, const char *context) {
    const char *vhost = c->peer->options.vhost;
    frame_head(c, REGISTER, 0, 0, strlen(context) + strlen(vhost) + 2);
    queue(c, context, strlen(context));
    queue(c, "\377", 1);
    queue(c, vhost, strlen(vhost));
    queue(c, "\377", 1);
}

/* Our direction has ended: nothing more goes out on this stream (rule 4). */
static void over(slot *s) {
    connection *c = s->connection;
    if (s->phase == READY || s->phase == RUNNING)
        c->peer->running--;
    s->phase = s->proxy_ended || c->state != SERVING ? FREE : ENDED;
    s->over = 1;
    s->timer = 0;
    c->open--;
    clear(&s->out);
    clear(&s->own);
}

/* Ends our direction without an answer. */
static void stop(slot *s, const char *text) {
    connection *c = s->connection;
    if (c->state == SERVING && c->version == 3 && !(s->ended && s->proxy_ended))
        text_frame(c, CANCEL, s->stream, text);
    over(s);
}

static void wants_turn(slot *s) {
    if (s->connection->version == 3)
        stand(&s->connection->turns, s, FOR_A_TURN);
}

/* Grants what the program has taken, in large portions; not while a program that answers as it reads is stuck with its
 * answer, so that its memory stays small; and nothing behind our CANCEL. */
static void grant(slot *s) {
    const lrwp_options *o = &s->connection->peer->options;
    char four[4];
    if (s->phase == FREE || s->phase == ENDED || s->proxy_ended || (s->over && !s->tunnel) || s->owed < o->window / 2
        || ((o->body != NULL || s->tunnel) && length(&s->out) > 4 * TURN_SIZE))
        return;
    put32(four, (uint32_t)s->owed);
    frame(s->connection, WINDOW, 0, s->stream, four, sizeof four);
    s->receive_credit += s->owed;
    if (s->ended)
        s->late += s->owed;
    s->owed = 0;
}

/* One frame of the answer, if window and progress allow one. A whole answer that fits is one frame (rule 2). */
static int send_turn(slot *s) {
    connection *c = s->connection;
    size_t head = s->head_left, body = length(&s->out) - head, most = TURN_SIZE, n;
    int end;
    if (s->phase != RUNNING || !s->has_head || s->request.cancelled || s->ended)
        return 0;
    if (head > 0 && (s->over || head + most > c->max_frame))
        most = head + body <= c->max_frame ? body : c->max_frame - head < most ? c->max_frame - head : most;
    n = body < most ? body : most;
    n = n < s->send_credit ? n : (size_t)s->send_credit;
    end = s->over && n == body && !(s->tunnel && head > 0);
    if (n == 0 && !end && head == 0)
        return 0;
    frame(c, head > 0 ? RESPONSE : DATA, end, s->stream, s->out.bytes + s->out.begin, head + n);
    s->out.begin += head + n;
    s->head_left = 0;
    if (s->out.begin == s->out.end)
        clear(&s->out);
    if (c->window != UNLIMITED)
        s->send_credit -= n;
    s->ended = end;
    if (end && (!s->tunnel || s->proxy_ended))
        over(s);
    else
        grant(s);
    return 1;
}

/* Makes frames ready, one of each stream in turn; a stream without window or bytes leaves the line. */
static void fill(connection *c) {
    while (c->turns.first != NULL && length(&c->out) < ENOUGH) {
        slot *s = front(&c->turns, FOR_A_TURN);
        if (send_turn(s))
            wants_turn(s);
    }
}

/* ---- the answer of a program ---- */

static slot *slot_of(const lrwp_request *r) {
    return (slot *)(void *)(size_t)r;
}

static int is_value(const char *text, size_t length) {
    for (; length > 0; text++, length--)
        if (((unsigned char)*text < ' ' && *text != '\t') || *text == 127)
            return 0;
    return 1;
}

/* Whether it is three digits and a reason. */
static int is_status(const char *text) {
    return text != NULL && strlen(text) >= 3 && strspn(text, "0123456789") == 3 && (text[3] == ' ' || text[3] == '\0')
        && is_value(text, strlen(text));
}

/* Whether it is header lines, each with name, value and CR LF, and none of them Status. */
static int is_lines(const char *text) {
    static const char token[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    while (text != NULL && *text != '\0') {
        size_t name = strspn(text, token);
        const char *end = strstr(text, "\r\n"), *at = "STATUS";
        size_t same = 0;
        while (same < 6 && (text[same] == at[same] || text[same] == at[same] + 32))
            same++;
        if (name == 0 || text[name] != ':' || end == NULL || (name == 6 && same == 6)
            || !is_value(text + name + 1, (size_t)(end - text) - name - 1))
            return 0;
        text = end + 2;
    }
    return 1;
}

/* Puts format, with three texts, into the answer as its head. */
static void put_head(slot *s, const char *format, const char *one, const char *two, const char *extra) {
    size_t most = strlen(format) + strlen(one) + strlen(two) + strlen(extra) + 1;
    s->head_left = (size_t)sprintf(room(&s->out, most), format, one, two, extra);
    s->out.end += s->head_left;
    s->has_head = 1;
    wants_turn(s);
}

/* The handler has failed, and no head is out: the client gets 500. It ends when the program ends it. */
static void refuse(slot *s, const char *why) {
    static const char body[] = "internal error\n";
    say(&s->connection->peer->options, "failed path=\"%.200s%.200s\" why=\"%s\"", lrwp_env(&s->request, "SCRIPT_NAME"),
        lrwp_env(&s->request, "PATH_INFO"), why);
    clear(&s->out);
    s->tunnel = s->over = 0;
    put_head(s, "Status: %s\r\nContent-Type: %s\r\nContent-Length: 15\r\n%s\r\n", "500 Internal Server Error", "text/plain",
             "");
    put(&s->out, body, sizeof body - 1);
    s->refused = 1;
}

static int may_begin(const slot *s) {
    return s->phase == RUNNING && !s->over && !s->request.cancelled && !s->has_head;
}

void lrwp_head(lrwp_request *r, const char *status, const char *type, const char *extra) {
    slot *s = slot_of(r);
    if (!may_begin(s))
        return;
    extra = extra != NULL ? extra : "";
    if (!is_status(status) || type == NULL || !is_value(type, strlen(type)) || !is_lines(extra))
        refuse(s, "the head of the answer is not made of header fields");
    else if (s->connection->version == 3 && strlen(status) + strlen(type) + strlen(extra) + 100 > s->connection->max_frame)
        refuse(s, "the head of the answer is too long");
    else
        put_head(s, "Status: %s\r\nContent-Type: %s\r\n%s\r\n", status, type, extra);
}

void lrwp_upgrade(lrwp_request *r, const char *protocol, const char *extra) {
    slot *s = slot_of(r);
    if (!may_begin(s))
        return;
    extra = extra != NULL ? extra : "";
    if (*lrwp_env(r, "HTTP_UPGRADE") == '\0' || s->connection->peer->options.tunnel == NULL) {
        refuse(s, "no upgrade is possible");
    } else if (protocol == NULL || !is_value(protocol, strlen(protocol)) || !is_lines(extra)) {
        refuse(s, "the head of the answer is not made of header fields");
    } else if (strlen(protocol) + strlen(extra) + 100 > s->connection->max_frame) {
        refuse(s, "the head of the answer is too long");
    } else {
        put_head(s, "Status: %s\r\nUpgrade: %s\r\nConnection: Upgrade\r\n%s\r\n", "101 Switching Protocols", protocol, extra);
        s->tunnel = 1;
    }
}

void lrwp_write(lrwp_request *r, const void *bytes, size_t count) {
    slot *s = slot_of(r);
    if (s->phase != RUNNING || s->over || r->cancelled || !s->has_head || s->refused)
        return;
    put(&s->out, bytes, count);
    wants_turn(s);
}

void lrwp_fail(lrwp_request *r, const char *reason) {
    slot *s = slot_of(r);
    if (s->phase != RUNNING || (s->over && !s->tunnel))
        return;
    if (r->cancelled || s->connection->state != SERVING) {
        stop(s, reason);
    } else if (!s->has_head || s->head_left > 0) {
        if (!s->refused)
            refuse(s, reason);
        lrwp_end(r);
    } else {
        say(&s->connection->peer->options, "failed path=\"%.200s%.200s\" why=\"%s\"", lrwp_env(r, "SCRIPT_NAME"),
            lrwp_env(r, "PATH_INFO"), reason);
        stop(s, reason);
    }
}

void lrwp_end(lrwp_request *r) {
    slot *s = slot_of(r);
    connection *c = s->connection;
    char digits[16];
    if (s->phase != RUNNING || s->over)
        return;
    if (r->cancelled || c->state != SERVING) {
        stop(s, "");
        return;
    }
    if (!s->has_head)
        refuse(s, "ended without an answer");
    s->over = 1;
    wants_turn(s);
    if (c->version == 1) {
        snprintf(digits, sizeof digits, "%09lu", (unsigned long)length(&s->out));
        queue(c, digits, 9);
        queue(c, s->out.bytes + s->out.begin, length(&s->out));
        over(s);
    }
}

void lrwp_answer(lrwp_request *r, const char *status, const char *type, const char *extra, const void *body, size_t n) {
    lrwp_head(r, status, type, extra);
    lrwp_write(r, body, n);
    lrwp_end(r);
}

const char *lrwp_env(const lrwp_request *r, const char *name) {
    const slot *s = slot_of(r);
    const char *entry = s->env, *end = s->env + s->env_length;
    size_t length = strlen(name);
    for (; entry < end; entry += strlen(entry) + 1)
        if (strncmp(entry, name, length) == 0 && entry[length] == '=')
            return entry + length + 1;
    return "";
}

void lrwp_after(lrwp_request *r, int ms) {
    if (r->peer->options.timer == NULL) {
        lrwp_fail(r, "lrwp_after without options.timer");
        return;
    }
    slot_of(r)->timer = now_ms() + ms;
    r->peer->timers = 1;
}

size_t lrwp_pending(const lrwp_request *r) {
    return length(&slot_of(r)->out);
}

/* ---- the life of a connection ---- */

/* Nobody waits any more for the answers of this connection. A slot whose handler has begun is free when that ends. */
static void abandon(connection *c) {
    unsigned i;
    while (front(&c->started, FOR_STARTED) != NULL || front(&c->turns, FOR_A_TURN) != NULL)
        continue;
    for (i = 0; i < c->peer->options.concurrency; i++) {
        slot *s = &c->slots[i];
        /* Who has not ended its answer is told, and who still hears the client of a half-closed tunnel. */
        int is_told = s->phase == RUNNING && (!s->over || (s->tunnel && !s->proxy_ended));
        s->proxy_ended = 1;
        if (is_told && !s->request.cancelled) {
            s->request.cancelled = 1;
            if (c->peer->options.cancelled != NULL)
                c->peer->options.cancelled(&s->request);
        }
        if (s->phase == ENDED)
            s->phase = FREE;
        else if (s->phase != FREE && (s->phase != RUNNING || s->over)) /* else the program ends it */
            over(s);
    }
}

static void dial(connection *c);

static const char *version_of(const connection *c) {
    return c->version == 1 ? "1.0" : c->peer->key_length > 0 ? "3.1" : "3.0";
}

static void disconnect(connection *c) {
    if (c->session != NULL)
        c->peer->options.tls->close(c->session);
    c->session = NULL;
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    c->more = 0;
    clear(&c->in);
    clear(&c->out);
}

/* The connection is lost. The next dial comes soon after a good one, later and later while none is. */
static void lose(connection *c, const char *why) {
    lrwp_peer *p = c->peer;
    int unreached = c->state == CONNECTING;
    int untried = unreached && ++c->tried < c->candidate_count;
    if (c->state < SERVING)
        c->candidate = (c->candidate + 1) % c->candidate_count;
    if (!p->draining && !untried && !(unreached && c->unreached))
        say(&p->options, "lost proxy=%s version=%s why=\"%s\"", c->label, version_of(c), why);
    if (c->session != NULL && c->state == SERVING)
        p->options.tls->end(c->session);
    disconnect(c);
    c->state = DOWN;
    c->version = 3; /* every new attempt begins there */
    abandon(c);
    if (untried && !p->draining) {
        dial(c);
        return;
    }
    c->tried = 0;
    c->unreached = unreached;
    c->delay = c->good ? FIRST_DELAY_MS : longer(c->delay);
    c->good = 0;
    c->redial_at = now_ms() + jitter(p, c->delay);
    if (c->proxy->is_name && c->proxy->look_up_at > c->redial_at)
        c->proxy->look_up_at = now_ms(); /* the name may mean something else by now */
}

/* Ends our direction when all is written, and goes on reading, so that the other side gets it (rule 5). */
static void linger(connection *c) {
    c->state = LINGERING;
    c->shut = 0;
    c->deadline = now_ms() + LINGER_MS;
    abandon(c);
}

/* The proxy has broken a rule. */
static void fault(connection *c, const char *rule) {
    say(&c->peer->options, "fault proxy=%s rule=\"%s\"", c->label, rule);
    text_frame(c, ERROR, 0, rule);
    linger(c);
}

static void dial(connection *c) {
    const address *to = &c->candidates[c->candidate];
    int on = 1;
    c->fd = socket(to->at.ss_family, SOCK_STREAM, 0);
    c->state = CONNECTING;
    c->deadline = now_ms() + HANDSHAKE_MS;
    c->has_settings = c->proved = 0;
    c->pinged_at = 0;
    c->queued = c->written = 0;
    c->read_waits_for = POLLIN;
    c->write_waits_for = POLLOUT;
    if (c->fd < 0 || fcntl(c->fd, F_SETFL, O_NONBLOCK) < 0 || fcntl(c->fd, F_SETFD, FD_CLOEXEC) < 0
        || (connect(c->fd, (const struct sockaddr *)&to->at, to->length) < 0 && errno != EINPROGRESS)) {
        lose(c, strerror(errno));
    } else if (to->at.ss_family != AF_UNIX) {
        setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        setsockopt(c->fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    }
}

static const char *lead(const connection *c) {
    return c->peer->options.context[c->lead];
}

/* Sends the startup string. */
static void hello(connection *c) {
    const lrwp_options *o = &c->peer->options;
    unsigned char nonce[32];
    char hex[65] = "";
    int n;
    if (c->peer->key_length > 0 && !get_random(nonce, sizeof nonce)) {
        lose(c, "no random bytes from /dev/urandom");
        return;
    }
    to_hex(nonce, c->peer->key_length > 0 ? sizeof nonce : 0, hex);
    if (c->version == 1)
        n = snprintf(c->startup, sizeof c->startup, "%s\377%s\377", lead(c), o->vhost);
    else if (c->peer->key_length == 0)
        n = snprintf(c->startup, sizeof c->startup, "\3773.0\377%s\377%s\377", lead(c), o->vhost);
    else
        n = snprintf(c->startup, sizeof c->startup, "\3773.1\377%s\377%s\377%s\377%s\377%s\377", lead(c), o->vhost,
                     o->identity, o->key_id, hex);
    c->startup_length = (size_t)n;
    c->state = HELLO;
    queue(c, c->startup, c->startup_length);
}

/* An older server: once more from the start, with 1.0, which has one context and one request at a time. */
static void fall_back(connection *c, const char *why) {
    char text[200];
    if (c->peer->options.secret_length > 0) {
        snprintf(text, sizeof text, "no LRWP 3.0, and there is a secret: %s", why);
        lose(c, text);
        return;
    }
    say(&c->peer->options, "fallback proxy=%s version=1.0 why=\"%s\"", c->label, why);
    disconnect(c);
    c->version = 1;
    dial(c);
}

/* Goes on with the TLS handshake. */
static void shake(connection *c) {
    const lrwp_tls *tls = c->peer->options.tls;
    int done = tls->shake(c->session, c->certificate);
    c->read_waits_for = done == LRWP_WANTS_WRITE ? POLLOUT : POLLIN;
    if (done == LRWP_FAILED)
        lose(c, tls->why(c->session));
    else if (done == 0 && c->version == 3 && c->peer->key_length > 0)
        lose(c, "the proxy does not take ALPN lrwp/3, and there is a key");
    else if (done == 0 && c->version == 3)
        fall_back(c, "no ALPN lrwp/3");
    else if (done >= 0)
        hello(c);
}

/* The files are read anew, so that a renewed certificate needs no restart. */
static void *open_session(const lrwp_options *o, int fd, const char *host, int version, char *why, size_t room) {
    const char *key = o->certificate_key, *fault = key != NULL ? private_fault(key) : "";
    if (*fault == '\0')
        return o->tls->open(o, fd, host, version == 3 ? "lrwp/3" : NULL, why, room);
    snprintf(why, room, "certificate_key=%s: %s", key, fault);
    return NULL;
}

static void connected(connection *c) {
    const lrwp_options *o = &c->peer->options;
    char why[300];
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
        lose(c, strerror(error));
        return;
    }
    if (o->tls == NULL) {
        hello(c);
        return;
    }
    c->state = SECURING;
    c->session = open_session(o, c->fd, c->proxy->host, c->version, why, sizeof why);
    if (c->session == NULL)
        lose(c, why);
    else
        shake(c);
}

/* The 1.0 server or the proxy has accepted. */
static void serve(connection *c) {
    const lrwp_options *o = &c->peer->options;
    char text[700];
    unsigned i;
    int n;
    c->state = SERVING;
    c->max_frame = MAX_FRAME;
    c->ask_again_at = 0;
    memset(c->refused, 0, c->peer->context_count);
    say(o, "registered context=%s version=%s proxy=%s", lead(c), version_of(c), c->label);
    if (c->version == 1)
        return;
    n = snprintf(text, sizeof text, "name=%s%ccapacity=%u%cwindow=%lu%cstarted=%d%cstream=%d%cping=%d%cinstance=%s-%ld%c",
                 o->name, 0, o->concurrency, 0, (unsigned long)o->window, 0, !o->repeatable, 0, o->body != NULL, 0,
                 !o->blocking, 0, instance, (long)getpid(), 0);
    if (o->upgrades != NULL)
        n += snprintf(text + n, sizeof text - (size_t)n, "upgrade=%s%c", o->upgrades, 0);
    frame(c, SETTINGS, 0, 0, text, (size_t)n);
    for (i = 0; i < c->peer->context_count; i++)
        if (i != c->lead)
            register_frame(c, o->context[i]);
}

/* HMAC of challenge, appname, FF, vhost, the names as sent. */
static void prove_secret(connection *c, const char *challenge) {
    const lrwp_options *o = &c->peer->options;
    unsigned char message[32 + 2 * LONGEST_NAME + 2], digest[32];
    int n;
    memcpy(message, challenge, 32);
    n = snprintf((char *)message + 32, sizeof message - 32, "%s\377%s", lead(c), o->vhost);
    hmac(o->secret, o->secret_length, message, 32 + (size_t)n, digest);
    queue(c, "000000032", 9);
    queue(c, digest, 32);
    c->proved = 1;
}

/* The proof of one side in 3.1: HMAC of a label with its NUL, the startup string, the proxy's nonce and inside TLS the
 * hash of its certificate. */
static void key_proof(const connection *c, const char *label, const char *nonce, unsigned char *digest) {
    unsigned char message[16 + LONGEST_STARTUP + 64];
    size_t n = strlen(label) + 1;
    memcpy(message, label, n);
    memcpy(message + n, c->startup, c->startup_length);
    n += c->startup_length;
    memcpy(message + n, nonce, 32);
    n += 32;
    if (c->session != NULL) {
        memcpy(message + n, c->certificate, 32);
        n += 32;
    }
    hmac(c->peer->key, c->peer->key_length, message, n, digest);
}

/* A proxy that does not show that it has the key gets no proof. */
static void prove_key(connection *c, const char *challenge) {
    unsigned char digest[32];
    key_proof(c, "lrwp3 proxy", challenge, digest);
    if (!same_proof(digest, (const unsigned char *)challenge + 32)) {
        lose(c, "the proxy does not have the key of this identity");
        return;
    }
    key_proof(c, "lrwp3 peer", challenge, digest);
    queue(c, "000000032", 9);
    queue(c, digest, 32);
    c->proved = 1;
}

/* Whether the input begins with a text: 1, 0, or -1 while it may yet. */
static int begins(const connection *c, const char *text) {
    size_t n = length(&c->in), all = strlen(text);
    if (memcmp(c->in.bytes + c->in.begin, text, n < all ? n : all) != 0)
        return 0;
    return n >= all ? 1 : -1;
}

/* The line of the log, with what mends it where a configuration does; peers/README.md. */
static void tell_refusal(const connection *c, const char *context, size_t size, const char *text, size_t n) {
    static const char *const remedies[][2] = {
        {"ERROR: Application not permitted", "the context is another identity's, or outside the scope of this one"},
        {"ERROR: Connection requires an identity", "set an identity and its key"},
        {"ERROR: Unauthorized access", "the identity may not come from this address"},
        {"Incorrect LRWP challenge response", "the proxy has another secret or key"},
    };
    const char *remedy = NULL;
    size_t i;
    for (i = 0; i < sizeof remedies / sizeof *remedies; i++)
        if (strlen(remedies[i][0]) == n && memcmp(remedies[i][0], text, n) == 0)
            remedy = remedies[i][1];
    say(&c->peer->options, "refused proxy=%s context=%.*s why=\"%.*s\"%s%s%s", c->label, (int)size, context, (int)n, text,
        remedy != NULL ? " remedy=\"" : "", remedy != NULL ? remedy : "", remedy != NULL ? "\"" : "");
}

/* REJECTED FF text FF is the answer of a proxy that speaks 3.x. The next attempt begins with the next context, so that a
 * refused one does not keep the others out. */
static void on_rejected(connection *c) {
    const char *text = c->in.bytes + c->in.begin + 9;
    size_t n = length(&c->in) - 9;
    const char *end = memchr(text, '\377', n);
    if (end == NULL && n <= LONGEST_STARTUP)
        return; /* more of it has to come */
    tell_refusal(c, lead(c), strlen(lead(c)), text, end != NULL ? (size_t)(end - text) : n);
    c->lead = (c->lead + 1) % c->peer->context_count;
    lose(c, "refused");
}

/* A challenge, whole, or nothing yet. Only the kind that was asked for is answered. */
static void on_challenge(connection *c) {
    const char *in = c->in.bytes + c->in.begin;
    int with_key = c->peer->key_length > 0;
    const char *expected = with_key ? "CHALLENGE\377000000064" : "CHALLENGE\377000000032";
    size_t size = with_key ? 64 : 32;
    if (begins(c, expected) == 0) {
        lose(c, with_key ? "the proxy does not ask for the key, as LRWP 3.1 does" : "a challenge that is not known");
    } else if (c->proved || (!with_key && c->peer->options.secret_length == 0)) {
        lose(c, with_key ? "a second challenge" : "a secret is asked for, and there is none");
    } else if (length(&c->in) >= 19 + size) {
        c->in.begin += 19 + size;
        if (with_key)
            prove_key(c, in + 19);
        else
            prove_secret(c, in + 19);
    }
}

/* The reply to the startup string, as far as it has come. */
static void on_reply(connection *c) {
    int with_key = c->peer->key_length > 0;
    const char *ok = c->version == 3 ? "OK\377" : "OK";
    int accepted = begins(c, ok), is_http = begins(c, "HTTP/");
    int challenged = c->version == 3 ? begins(c, "CHALLENGE\377") : 0;
    int rejected = c->version == 3 ? begins(c, "REJECTED\377") : 0;
    char text[200];
    if (is_http == 1) {
        lose(c, "it answers in HTTP: this is not the port of peers");
    } else if (c->session == NULL && begins(c, "\25\3") == 1) {
        lose(c, "it answers with a TLS alert: this port is inside TLS");
    } else if (accepted == 1 && with_key && !c->proved) {
        lose(c, "the proxy does not ask for the key, as LRWP 3.1 does");
    } else if (accepted == 1) {
        c->in.begin += strlen(ok);
        serve(c);
    } else if (rejected == 1) {
        on_rejected(c);
    } else if (challenged == 1) {
        on_challenge(c);
    } else if (!accepted && !is_http && !challenged && !rejected) {
        size_t n = length(&c->in) < 100 ? length(&c->in) : 100;
        snprintf(text, sizeof text, "%s%.*s", with_key ? "no LRWP 3.1: " : "", (int)n, c->in.bytes + c->in.begin);
        if (with_key)
            lose(c, text);
        else if (c->version == 3)
            fall_back(c, text);
        else if (length(&c->in) > LONGEST_STARTUP) { /* a refusal of 1.0 ends with the connection */
            tell_refusal(c, lead(c), strlen(lead(c)), text, n);
            lose(c, "refused");
        }
    }
}

/* ---- requests in ---- */

/* Copies what lies in the input, which the next read takes for itself. */
static void own(slot *s) {
    if (s->borrowed) {
        put(&s->own, s->env, s->env_length);
        put(&s->own, s->request.body, s->request.body_length);
        s->borrowed = 0;
    }
    s->env = s->own.bytes;
    s->request.body = s->own.bytes + s->env_length;
    s->request.body_length = s->own.end - s->env_length;
}

/* The handler is to be entered; with STARTED, when that is written. */
static void start(slot *s) {
    connection *c = s->connection;
    s->phase = READY;
    c->peer->running++;
    s->mark = 0;
    if (c->version == 3 && !c->peer->options.repeatable) {
        frame(c, STARTED, 0, s->stream, "", 0);
        s->mark = c->queued;
    }
    stand(&c->started, s, FOR_STARTED);
}

/* Each proxy may send as many requests as there are handlers; together they may be more, and wait here. */
static void ready(slot *s) {
    lrwp_peer *p = s->connection->peer;
    if (p->waiting.first == NULL && p->running < p->options.concurrency) {
        start(s);
    } else {
        own(s);
        s->phase = WAITING;
        stand(&p->waiting, s, FOR_A_PLACE);
    }
}

/* Whether one that waited has been started. */
static int start_waiting(lrwp_peer *p) {
    int any = 0;
    while (p->waiting.first != NULL && p->running < p->options.concurrency) {
        slot *s = front(&p->waiting, FOR_A_PLACE);
        if (s->phase == WAITING) {
            start(s);
            any = 1;
        }
    }
    return any;
}

/* Hands body to a program that takes it as it comes. */
static void deliver(slot *s, const char *bytes, size_t count) {
    const lrwp_options *o = &s->connection->peer->options;
    if (s->phase != RUNNING || (s->over && !s->tunnel) || s->request.cancelled)
        return;
    s->owed += count;
    if (count > 0 || s->proxy_ended)
        (s->tunnel ? o->tunnel : o->body)(&s->request, bytes, count, s->proxy_ended);
    grant(s);
}

/* Enters the handlers whose STARTED is written: bytes are counted, so that no handler can be early (rule 5). */
static void enter(connection *c) {
    const lrwp_options *o = &c->peer->options;
    while (c->started.first != NULL && c->started.first->mark <= c->written && c->state == SERVING) {
        slot *s = front(&c->started, FOR_STARTED);
        if (s->phase != READY)
            continue; /* cancelled while it waited */
        s->phase = RUNNING;
        if (o->body == NULL && s->request.body_length > o->max_body) {
            lrwp_answer(&s->request, "413 Content Too Large", "text/plain", NULL, "too large\n", 10);
            continue;
        }
        o->handler(&s->request);
        if (o->body != NULL && !s->tunnel)
            deliver(s, s->request.body, s->request.body_length);
        if (s->phase == RUNNING && (!s->over || s->tunnel))
            own(s);
    }
}

static void begin(slot *s, const char *env, size_t env_length, const char *body, size_t length, int end) {
    s->phase = GATHERING;
    s->connection->open++;
    s->connection->good = 1;
    s->request.cancelled = s->has_head = s->over = s->refused = s->tunnel = s->ended = 0;
    s->proxy_ended = end;
    s->borrowed = 1;
    s->env = env;
    s->env_length = env_length;
    s->request.body = body;
    s->request.body_length = length;
    s->owed = s->head_left = 0;
    s->request.data = NULL;
}

static void on_request(connection *c, slot *s, const char *payload, size_t n, int end) {
    const lrwp_options *o = &c->peer->options;
    const char *why_not = NULL;
    size_t env = n >= 4 ? get32(payload) : 0;
    if (s == NULL || s->phase != FREE) {
        fault(c, "REQUEST on a stream that is not free");
    } else if (n < 4 || env > n - 4 || (env > 0 && payload[3 + env] != '\0')) {
        fault(c, "REQUEST with a broken env block");
    } else if (n - 4 - env > o->window + s->late) {
        fault(c, "more body than its window");
    } else {
        begin(s, payload + 4, env, payload + 4 + env, n - 4 - env, end);
        s->send_credit = c->window;
        s->receive_credit = o->window + s->late - s->request.body_length;
        s->late = 0;
        if (c->peer->draining)
            why_not = "draining"; /* it has crossed our DRAIN, and waits for another connection (rule 6) */
        else if (o->admit != NULL)
            why_not = o->admit(&s->request);
        if (why_not != NULL) {
            text_frame(c, REFUSED, s->stream, why_not);
            over(s);
        } else if (end || o->body != NULL || *lrwp_env(&s->request, "HTTP_UPGRADE") != '\0') {
            ready(s);
        } else {
            s->owed = s->request.body_length;
            own(s);
        }
    }
}

static void on_data(connection *c, slot *s, const char *payload, size_t n, int end) {
    int stream = c->peer->options.body != NULL || s->tunnel;
    if (s->proxy_ended || s->phase == FREE)
        return;
    if (s->phase == ENDED) {
        s->phase = end ? FREE : ENDED;
    } else if (n > s->receive_credit) {
        fault(c, "more body than its window");
    } else {
        s->receive_credit -= n;
        s->proxy_ended = end;
        if (s->phase == RUNNING && stream) {
            deliver(s, payload, n);
            if (s->tunnel && s->ended && end && s->phase == RUNNING)
                over(s);
        } else if (s->phase != RUNNING) {
            own(s);
            put(&s->own, payload, n);
            own(s);
            s->owed += stream ? 0 : n;
            if (s->phase == GATHERING && (end || s->request.body_length > c->peer->options.max_body))
                ready(s);
            else if (!stream)
                grant(s);
        }
    }
}

static void on_cancel(connection *c, slot *s) {
    void (*cancelled)(lrwp_request *) = c->peer->options.cancelled;
    int running = s->phase == RUNNING && !s->over;
    if (s->phase == ENDED)
        s->phase = FREE;
    if (s->phase == FREE)
        return;
    s->proxy_ended = s->request.cancelled = 1;
    clear(&s->out);
    if (s->tunnel && s->over) { /* of a tunnel the program still heard the other direction */
        if (cancelled != NULL)
            cancelled(&s->request);
        lrwp_fail(&s->request, "");
    } else if (!running) {
        text_frame(c, CANCEL, s->stream, "");
        over(s);
    } else if (cancelled != NULL) { /* the program ends it, and that frees the slot */
        cancelled(&s->request);
    }
}

static void on_window(connection *c, slot *s, const char *payload, size_t n) {
    if (n == 4 && (c->window == UNLIMITED || s->phase == FREE || s->phase == ENDED))
        return;
    if (n != 4 || s->send_credit + get32(payload) > UNLIMITED) {
        fault(c, "a broken WINDOW");
        return;
    }
    s->send_credit += get32(payload);
    wants_turn(s);
}

static void on_settings(connection *c, const char *payload, size_t n) {
    const char *at = payload, *end = payload + n;
    c->has_settings = 1;
    c->window = MAX_FRAME;
    c->ping_seconds = 0;
    if (n > 0 && end[-1] != '\0') {
        fault(c, "SETTINGS without a NUL at the end");
        return;
    }
    for (; at < end; at += strlen(at) + 1) {
        uint32_t *known = strncmp(at, "window=", 7) == 0 ? &c->window
            : strncmp(at, "max-frame=", 10) == 0 ? &c->max_frame
            : strncmp(at, "ping=", 5) == 0 ? &c->ping_seconds : NULL;
        const char *value = known != NULL ? strchr(at, '=') + 1 : "";
        unsigned long long number = strtoull(value, NULL, 10);
        if (known == NULL)
            continue; /* rule: unknown names are skipped */
        if (*value == '\0' || value[strspn(value, "0123456789")] != '\0' || number > UNLIMITED
            || (known == &c->max_frame && number < MAX_FRAME)) {
            fault(c, "SETTINGS with a bad value");
            return;
        }
        *known = (uint32_t)number;
    }
}

/* The proxy's answer to REGISTER: appname FF vhost FF text FF, where no text means yes. */
static void on_registered(connection *c, const char *payload, size_t n) {
    const lrwp_options *o = &c->peer->options;
    const char *vhost = memchr(payload, '\377', n);
    const char *text = vhost != NULL ? memchr(vhost + 1, '\377', (size_t)(payload + n - vhost - 1)) : NULL;
    unsigned i;
    if (text == NULL)
        return;
    if (text + 2 >= payload + n) {
        say(o, "registered context=%.*s version=%s proxy=%s", (int)(vhost - payload), payload,
            version_of(c), c->label);
        return;
    }
    tell_refusal(c, payload, (size_t)(vhost - payload), text + 1, (size_t)(payload + n - text - 2));
    for (i = 0; i < c->peer->context_count; i++)
        if (strlen(o->context[i]) == (size_t)(vhost - payload) && memcmp(o->context[i], payload, strlen(o->context[i])) == 0)
            c->refused[i] = 1;
    c->ask_again_at = now_ms() + ASK_AGAIN_MS;
}

static void on_frame(connection *c, int type, int end, uint32_t stream, const char *payload, size_t n) {
    slot *s = stream >= 1 && stream <= c->peer->options.concurrency ? &c->slots[stream - 1] : NULL;
    if (!c->has_settings && type != SETTINGS) {
        fault(c, "the first frame is not SETTINGS");
    } else if (type == SETTINGS && c->has_settings) {
        fault(c, "a second SETTINGS");
    } else if (type == SETTINGS) {
        on_settings(c, payload, n);
    } else if (type == REQUEST) {
        on_request(c, s, payload, n, end);
    } else if (type == DATA && s != NULL) {
        on_data(c, s, payload, n, end);
    } else if (type == CANCEL && s != NULL) {
        on_cancel(c, s);
    } else if (type == WINDOW && s != NULL) {
        on_window(c, s, payload, n);
    } else if (type == PING && n != 8) {
        fault(c, "PING is not 8 bytes");
    } else if (type == PING) {
        frame(c, PONG, 0, 0, payload, n);
    } else if (type == REGISTERED) {
        on_registered(c, payload, n);
    } else if (type == DRAIN) { /* answers go on; the proxy closes after the last one, then we dial again */
        say(&c->peer->options, "drain by=proxy proxy=%s", c->label);
    } else if (type == ERROR) {
        say(&c->peer->options, "error by=proxy proxy=%s text=\"%.*s\"", c->label, (int)n, payload);
        linger(c);
    }
}

static void frames(connection *c) {
    while (c->state == SERVING && length(&c->in) >= HEAD_SIZE) {
        const char *head = c->in.bytes + c->in.begin;
        size_t n = get32(head);
        if (n > MAX_FRAME) {
            fault(c, "a frame longer than max-frame");
        } else if (length(&c->in) >= HEAD_SIZE + n) {
            c->in.begin += HEAD_SIZE + n;
            on_frame(c, head[4], head[5] & 1, get32(head + 8), head + HEAD_SIZE, n);
        } else {
            return;
        }
    }
}

/* The length at an offset of the input: nine digits; -1 while they have not come, -2 when they are none. */
static long digits_at(const connection *c, size_t offset) {
    const char *at = c->in.bytes + c->in.begin + offset;
    long value = 0;
    int i;
    if (length(&c->in) < offset + 9)
        return -1;
    for (i = 0; i < 9; i++)
        value = at[i] >= '0' && at[i] <= '9' && value >= 0 ? value * 10 + at[i] - '0' : -2;
    return value;
}

/* A request of LRWP 1.0: length, env block, length, body. */
static void old_request(connection *c) {
    long env = digits_at(c, 0), body = env >= 0 && (unsigned long)env <= KEPT ? digits_at(c, 9 + (size_t)env) : -1;
    const char *at = c->in.bytes + c->in.begin + 9;
    if (env == -2 || env > (long)KEPT || body == -2 || c->slots->phase != FREE
        || (body >= 0 && (unsigned long)body > c->peer->options.max_body) || (body >= 0 && env > 0 && at[env - 1] != '\0')) {
        lose(c, "a broken or too large request");
    } else if (body >= 0 && length(&c->in) >= 18 + (size_t)env + (size_t)body) {
        begin(c->slots, at, (size_t)env, at + env + 9, (size_t)body, 1);
        c->in.begin += 18 + (size_t)env + (size_t)body;
        ready(c->slots);
    }
}

/* ---- bytes in and out ---- */

/* Bytes, 0 at the end, or an LRWP_ code; errno says why it has failed. */
static long receive_some(connection *c, void *to, size_t room) {
    ssize_t n;
    if (c->session != NULL)
        return c->peer->options.tls->read(c->session, to, room);
    n = recv(c->fd, to, room, 0);
    return n >= 0 ? n : errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? LRWP_WANTS_READ : LRWP_FAILED;
}

/* Bytes, or an LRWP_ code; the connection is lost when it has failed. */
static long send_some(connection *c, const void *from, size_t count) {
    const lrwp_tls *tls = c->peer->options.tls;
    long n = c->session != NULL ? tls->write(c->session, from, count) : (long)send(c->fd, from, count, MSG_NOSIGNAL);
    if (c->session == NULL && n < 0)
        n = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? LRWP_WANTS_WRITE : LRWP_FAILED;
    if (n == LRWP_FAILED)
        lose(c, c->session != NULL ? tls->why(c->session) : strerror(errno));
    return n;
}

/* Ends our direction; whether it is done. */
static int end_output(connection *c) {
    int end;
    if (c->session == NULL) {
        shutdown(c->fd, SHUT_WR);
        return 1;
    }
    end = c->peer->options.tls->end(c->session);
    c->write_waits_for = end == LRWP_WANTS_READ ? POLLIN : POLLOUT;
    return end >= 0 || end == LRWP_FAILED;
}

/* ---- names ---- */

/* One look-up, on a thread of its own, because the system's function waits. */
typedef struct job {
    char host[256], port[8];
    int to, error;
    struct addrinfo *found;
} job;

static void free_job(job *j) {
    if (j->found != NULL)
        freeaddrinfo(j->found);
    free(j);
}

static void *look_up_now(void *given) {
    job *j = given;
    int to = j->to;
    struct addrinfo hints;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    j->error = getaddrinfo(j->host, j->port, &hints, &j->found);
    if (send(to, &j, sizeof j, MSG_NOSIGNAL) != (ssize_t)sizeof j)
        free_job(j); /* nobody wants it any more */
    close(to);
    return NULL;
}

static void not_looked_up(lrwp_peer *p, proxy *x, const char *why) {
    say(&p->options, "unresolved proxy=%s why=\"%s\"", x->text, why);
    x->delay = longer(x->delay);
    x->look_up_at = now_ms() + jitter(p, x->delay);
}

static void look_up(lrwp_peer *p, proxy *x) {
    job *j = memset(memory(NULL, sizeof *j), 0, sizeof *j);
    sigset_t all, before;
    int pair[2] = {-1, -1}, failed;
    strcpy(j->host, x->host);
    strcpy(j->port, x->port);
    failed = socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 ? errno : 0;
    j->to = pair[1];
    if (!failed) { /* signals stay with the threads of the program */
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        failed = pthread_create(&x->thread, NULL, look_up_now, j);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (failed) {
        if (pair[0] >= 0) {
            close(pair[0]);
            close(pair[1]);
        }
        free(j);
        not_looked_up(p, x, strerror(failed));
        return;
    }
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    x->looking = pair[0];
}

static int is_loopback(const struct sockaddr *at) {
    const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)at)->sin6_addr;
    const struct in_addr *four = &((const struct sockaddr_in *)(const void *)at)->sin_addr;
    return at->sa_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(six)
        : at->sa_family == AF_INET && ntohl(four->s_addr) >> 24 == 127;
}

static connection *add_connection(lrwp_peer *p, proxy *x) {
    unsigned concurrency = p->options.concurrency, i;
    connection *c = memset(memory(NULL, sizeof *c), 0, sizeof *c);
    c->peer = p;
    c->proxy = x;
    c->fd = -1;
    c->version = 3;
    c->delay = FIRST_DELAY_MS / 2;
    c->wanted = 1;
    c->refused = memory(NULL, p->context_count);
    c->slots = memset(memory(NULL, concurrency * sizeof *c->slots), 0, concurrency * sizeof *c->slots);
    for (i = 0; i < concurrency; i++) {
        c->slots[i].request.peer = p;
        c->slots[i].connection = c;
        c->slots[i].stream = i + 1;
    }
    p->connections = memory(p->connections, (p->connection_count + 1) * sizeof *p->connections);
    p->connections[p->connection_count++] = c;
    p->polled = memory(p->polled, (p->connection_count + p->proxy_count) * sizeof *p->polled);
    return c;
}

static void add_candidate(connection *c, const struct sockaddr *at, socklen_t size) {
    address *a;
    c->candidates = memory(c->candidates, (c->candidate_count + 1) * sizeof *c->candidates);
    a = &c->candidates[c->candidate_count++];
    memset(a, 0, sizeof *a);
    memcpy(&a->at, at, size);
    a->length = size;
}

/* Lets go of a connection that is down and has no request. */
static void remove_connection(lrwp_peer *p, unsigned which) {
    connection *c = p->connections[which];
    line_of_slots others = {NULL, NULL};
    slot *s;
    unsigned i;
    while ((s = front(&p->waiting, FOR_A_PLACE)) != NULL)
        if (s->connection != c)
            stand(&others, s, FOR_A_PLACE);
    p->waiting = others;
    for (i = 0; i < p->options.concurrency; i++) {
        free(c->slots[i].own.bytes);
        free(c->slots[i].out.bytes);
    }
    free(c->slots);
    free(c->in.bytes);
    free(c->out.bytes);
    free(c->refused);
    free(c->candidates);
    free(c);
    p->connections[which] = p->connections[--p->connection_count];
}

/* The connection of a proxy to this address; of loopback addresses, to any. */
static connection *connection_to(lrwp_peer *p, const proxy *x, const struct addrinfo *one) {
    unsigned i;
    for (i = 0; i < p->connection_count; i++) {
        connection *c = p->connections[i];
        const address *has = c->candidates;
        if (c->proxy == x && ((is_loopback(one->ai_addr) && is_loopback((const struct sockaddr *)&has->at))
                              || (has->length == one->ai_addrlen && memcmp(&has->at, one->ai_addr, has->length) == 0)))
            return c;
    }
    return NULL;
}

/* What a proxy's name means now. A connection to an address that it no longer has stays until it is lost. */
static void resolved(lrwp_peer *p, proxy *x, const struct addrinfo *all) {
    const struct addrinfo *one;
    unsigned i;
    for (i = 0; i < p->connection_count; i++)
        if (p->connections[i]->proxy == x)
            p->connections[i]->wanted = 0;
    for (one = all; one != NULL; one = one->ai_next) {
        connection *c = connection_to(p, x, one);
        if (c == NULL) {
            char text[64] = "?";
            c = add_connection(p, x);
            add_candidate(c, one->ai_addr, one->ai_addrlen);
            getnameinfo(one->ai_addr, one->ai_addrlen, text, sizeof text, NULL, 0, NI_NUMERICHOST);
            snprintf(c->label, sizeof c->label, x->is_name ? "%s/%.60s" : "%s", x->text, text);
        } else if (is_loopback(one->ai_addr)) {
            for (i = 0; i < c->candidate_count; i++)
                if (c->candidates[i].length == one->ai_addrlen
                    && memcmp(&c->candidates[i].at, one->ai_addr, one->ai_addrlen) == 0)
                    break;
            if (i == c->candidate_count)
                add_candidate(c, one->ai_addr, one->ai_addrlen);
        }
        c->wanted = 1;
    }
}

/* The thread is done. */
static void looked_up(lrwp_peer *p, proxy *x) {
    job *j = NULL;
    ssize_t n = recv(x->looking, &j, sizeof j, 0);
    if (n < 0 && errno == EINTR)
        return;
    pthread_join(x->thread, NULL);
    close(x->looking);
    x->looking = -1;
    if (n == (ssize_t)sizeof j && j->error == 0) {
        x->delay = FIRST_DELAY_MS;
        x->look_up_at = now_ms() + LOOK_UP_MS;
        resolved(p, x, j->found);
    } else {
        not_looked_up(p, x, n == (ssize_t)sizeof j ? gai_strerror(j->error) : "no answer");
    }
    if (n == (ssize_t)sizeof j)
        free_job(j);
}

/* Nobody waits for the thread any more. */
static void forget_look_up(proxy *x) {
    job *j = NULL;
    if (x->looking < 0)
        return;
    pthread_detach(x->thread);
    shutdown(x->looking, SHUT_RD);
    if (recv(x->looking, &j, sizeof j, MSG_DONTWAIT) == (ssize_t)sizeof j)
        free_job(j);
    close(x->looking);
    x->looking = -1;
}

/* ---- the rounds ---- */

/* Writes all that is ready, in as few system calls as the socket allows. */
static void flush(connection *c) {
    while (c->state == HELLO || c->state == SERVING || c->state == LINGERING) {
        const char *from;
        long n;
        if (c->state == SERVING)
            fill(c);
        from = c->out.bytes + c->out.begin;
        if (length(&c->out) == 0) {
            if (c->state == LINGERING && !c->shut)
                c->shut = end_output(c);
            return;
        }
        n = send_some(c, from, length(&c->out));
        c->write_waits_for = n == LRWP_WANTS_READ ? POLLIN : POLLOUT;
        if (n < 0)
            return;
        c->written += (uint64_t)n;
        c->out.begin += (size_t)n;
        if (length(&c->out) == 0)
            clear(&c->out);
    }
}

/* Handlers stand between two writes: the first carries the STARTED, the second the answers of all of them. */
static void handle_round(connection *c) {
    slot *s;
    if (c->started.first != NULL && c->started.first->mark > c->written)
        flush(c);
    enter(c);
    for (s = c->started.first; s != NULL; s = s->next[FOR_STARTED])
        if (s->phase == READY)
            own(s);
    flush(c);
}

static void handle_rounds(lrwp_peer *p) {
    unsigned i;
    do {
        for (i = 0; i < p->connection_count; i++)
            handle_round(p->connections[i]);
    } while (start_waiting(p));
}

/* The proxy has ended its direction, or the connection is broken. */
static void on_end(connection *c, const char *why) {
    size_t n = length(&c->in) < 200 ? length(&c->in) : 200;
    int hello = c->state == HELLO && n > 0;
    if (hello && c->version == 3 && c->peer->key_length == 0 && begins(c, "OK") == 1) {
        fall_back(c, "a bare OK");
        return;
    }
    if (hello)
        tell_refusal(c, lead(c), strlen(lead(c)), c->in.bytes + c->in.begin, n);
    lose(c, why);
}

static void take_in(connection *c) {
    const lrwp_tls *tls = c->peer->options.tls;
    size_t taken = 0;
    long n;
    do {
        n = receive_some(c, room(&c->in, READ_SIZE), READ_SIZE);
        if (n > 0) {
            c->in.end += (size_t)n;
            taken += (size_t)n;
        }
    } while (n > 0 && c->session != NULL && taken < READ_SIZE);
    c->more = n > 0 && c->session != NULL;
    c->read_waits_for = n == LRWP_WANTS_WRITE ? POLLOUT : POLLIN;
    if (taken > 0) {
        c->heard = now_ms();
        c->pinged_at = 0;
        if (c->state == HELLO)
            on_reply(c);
        if (c->state == SERVING && c->version == 3)
            frames(c);
        else if (c->state == SERVING && length(&c->in) > 0)
            old_request(c);
        else if (c->state == LINGERING)
            clear(&c->in);
    }
    if (c->fd < 0 || c->state == CONNECTING)
        return;
    if (n == 0)
        on_end(c, "the proxy has closed");
    else if (n == LRWP_FAILED)
        on_end(c, c->session != NULL ? tls->why(c->session) : strerror(errno));
}

static void on_deadline(connection *c) {
    int is_old = c->version == 3 && c->peer->key_length == 0;
    if (c->state == SERVING)
        linger(c);
    else if (c->state == HELLO && is_old && (length(&c->in) == 0 || begins(c, "OK") != 0))
        fall_back(c, "no reply that is known");
    else if (c->state == HELLO)
        lose(c, "no reply in time: is this the port of peers?");
    else if (c->state == SECURING)
        lose(c, "no TLS handshake in time: is this the port for peers inside TLS?");
    else
        lose(c, "out of time");
}

/* The proxy pings first; when it does not, we ask once, then give up. While a function of the program blocks nothing is
 * read or written: so the PING goes out before the next one is called, and `now` is the last look at the input. */
static void check_silence(connection *c, int64_t now) {
    int64_t interval = c->version == 3 ? (int64_t)1000 * c->ping_seconds : 0;
    if (interval == 0)
        return;
    if (c->pinged_at != 0 && now - c->pinged_at >= interval) {
        lose(c, "the proxy is silent");
    } else if (c->pinged_at == 0 && now - c->heard >= 2 * interval) {
        frame(c, PING, 0, 0, "are you?", 8);
        flush(c);
        c->pinged_at = now_ms();
    }
}

/* What is due though no byte has come. */
static void tick(connection *c, int64_t now) {
    lrwp_peer *p = c->peer;
    unsigned i;
    for (i = 0; p->timers && i < p->options.concurrency; i++) {
        slot *s = &c->slots[i];
        if (s->timer != 0 && s->timer <= now && s->phase == RUNNING) {
            s->timer = 0;
            p->options.timer(&s->request);
        }
    }
    if (c->state == DOWN)
        return;
    if (c->state == SERVING && !p->draining) {
        check_silence(c, now);
        for (i = 0; c->state == SERVING && c->ask_again_at != 0 && now >= c->ask_again_at && i < p->context_count; i++)
            if (c->refused[i]) {
                c->refused[i] = 0;
                register_frame(c, p->options.context[i]);
            }
        if (i > 0)
            c->ask_again_at = 0;
    } else if (c->state == SERVING && c->version == 1 && c->open == 0 && length(&c->out) == 0) {
        linger(c);
    } else if (now >= c->deadline) {
        on_deadline(c);
    }
}

/* From now on every REQUEST is refused, and those that have come are finished; then the proxy closes (rule 10). */
static void start_drain(lrwp_peer *p) {
    unsigned i;
    p->draining = 1;
    say(&p->options, "drain by=peer");
    p->deadline = now_ms() + (int64_t)(1000 * p->options.drain_seconds);
    for (i = 0; i < p->connection_count; i++) {
        connection *c = p->connections[i];
        c->deadline = c->state == LINGERING ? c->deadline : p->deadline;
        if (c->state == SERVING && c->version == 3)
            frame(c, DRAIN, 0, 0, "", 0);
        else if (c->state == CONNECTING || c->state == SECURING || c->state == HELLO)
            lose(c, "");
    }
}

static int is_over(const lrwp_peer *p) {
    unsigned i;
    for (i = 0; i < p->connection_count; i++) {
        const connection *c = p->connections[i];
        if (c->state != DOWN || (c->open > 0 && now_ms() < p->deadline))
            return 0;
    }
    return 1;
}

static int64_t sooner(int64_t one, int64_t other) {
    return one < other ? one : other;
}

/* How long poll may wait: to the next thing that is due. */
static int patience(lrwp_peer *p, int timeout) {
    int64_t now = now_ms(), next = now + timeout;
    unsigned i, k, timers = 0;
    for (i = 0; !p->draining && i < p->proxy_count; i++)
        if (p->proxies[i].is_name && p->proxies[i].looking < 0)
            next = sooner(next, p->proxies[i].look_up_at);
    for (i = 0; i < p->connection_count; i++) {
        const connection *c = p->connections[i];
        for (k = 0; p->timers && k < p->options.concurrency; k++)
            if (c->slots[k].timer != 0) {
                timers++;
                next = sooner(next, c->slots[k].timer);
            }
        if (c->more)
            next = now;
        if (c->state == DOWN && c->open == 0 && !p->draining)
            next = sooner(next, c->redial_at);
    }
    p->timers = timers > 0;
    return next > now ? (int)(next - now) : 0;
}

static short events_of(const connection *c) {
    int events = c->read_waits_for;
    if (c->state == CONNECTING)
        events = POLLOUT;
    else if (length(&c->out) > 0 || (c->state == LINGERING && !c->shut))
        events |= c->write_waits_for;
    return (short)events;
}

static void on_events(connection *c, short events) {
    if (c->state == CONNECTING && events != 0)
        connected(c);
    else if (c->state == SECURING && events != 0)
        shake(c);
    else if (c->state > SECURING && ((events & (c->read_waits_for | POLLHUP | POLLERR)) != 0 || c->more))
        take_in(c);
}

/* Starts what is to be looked up, dials what is down, and lets go of what the names no longer have. */
static void keep_up(lrwp_peer *p) {
    unsigned i;
    for (i = 0; i < p->proxy_count; i++)
        if (p->proxies[i].is_name && p->proxies[i].looking < 0 && now_ms() >= p->proxies[i].look_up_at)
            look_up(p, &p->proxies[i]);
    for (i = p->connection_count; i-- > 0;) {
        connection *c = p->connections[i];
        if (c->state != DOWN || c->open > 0)
            continue; /* not while a handler has yet to end: it still has its slot */
        if (!c->wanted)
            remove_connection(p, i);
        else if (now_ms() >= c->redial_at)
            dial(c);
    }
}

int lrwp_poll(lrwp_peer *p, int timeout) {
    unsigned count, i;
    int64_t now;
    if (p->drain_asked && !p->draining)
        start_drain(p);
    if (p->draining && is_over(p))
        return 0;
    if (!p->draining)
        keep_up(p);
    handle_rounds(p);
    count = p->connection_count;
    for (i = 0; i < count; i++) {
        p->polled[i].fd = p->connections[i]->fd;
        p->polled[i].events = events_of(p->connections[i]);
        p->polled[i].revents = 0;
    }
    for (i = 0; i < p->proxy_count; i++) {
        p->polled[count + i].fd = p->proxies[i].looking;
        p->polled[count + i].events = POLLIN;
        p->polled[count + i].revents = 0;
    }
    if (poll(p->polled, count + p->proxy_count, patience(p, timeout)) < 0)
        return 1;
    now = now_ms(); /* what comes from here on is read in the next round, however long this one blocks */
    for (i = 0; i < count; i++)
        on_events(p->connections[i], p->polled[i].revents);
    handle_rounds(p);
    for (i = 0; i < count; i++)
        tick(p->connections[i], now);
    for (i = 0; i < p->proxy_count; i++) /* last: this brings new connections */
        if (p->polled[count + i].revents != 0)
            looked_up(p, &p->proxies[i]);
    return 1;
}

void lrwp_run(lrwp_peer *p) {
    while (lrwp_poll(p, 500)) /* not for ever: a signal may come just before poll */
        continue;
}

void lrwp_drain(lrwp_peer *p) {
    p->drain_asked = 1;
}

int lrwp_serve(const lrwp_options *options) {
    lrwp_peer *p = lrwp_open(options);
    if (p == NULL)
        return 1;
    lrwp_run(p);
    lrwp_free(p);
    return 0;
}

/* ---- what the options say ---- */

static int hex_digit(int c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads hexadecimal digits, white space around them. */
static int read_key(lrwp_peer *p, const char *file) {
    const lrwp_options *o = &p->options;
    char text[2 * LONGEST_KEY + 100];
    size_t n, begin = 0, i;
    const char *fault = private_fault(file);
    FILE *in = *fault == '\0' ? fopen(file, "rb") : NULL;
    if (in == NULL) {
        say(o, "options key_file=%s: %s", file, *fault != '\0' ? fault : strerror(errno));
        return 0;
    }
    n = fread(text, 1, sizeof text, in);
    fclose(in);
    while (n > 0 && strchr(" \t\r\n", text[n - 1]) != NULL)
        n--;
    while (begin < n && strchr(" \t\r\n", text[begin]) != NULL)
        begin++;
    n -= begin;
    for (i = 0; i < n && hex_digit(text[begin + i]) >= 0; i++)
        continue;
    if (i < n || n % 2 != 0 || n < 64 || n > 2 * LONGEST_KEY) {
        say(o, "options key_file=%s: a key is 64 to %u hexadecimal digits, an even number", file, 2 * LONGEST_KEY);
        return 0;
    }
    for (i = 0; i < n / 2; i++)
        p->key[i] = (unsigned char)(hex_digit(text[begin + 2 * i]) << 4 | hex_digit(text[begin + 2 * i + 1]));
    p->key_length = n / 2;
    return 1;
}

static int is_token(const char *text) {
    static const char token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t n = text != NULL ? strlen(text) : 0;
    return n >= 1 && n <= 64 && strspn(text, token) == n;
}

static int set_identity(lrwp_peer *p) {
    const lrwp_options *o = &p->options;
    int given = (o->identity != NULL) + (o->key_id != NULL) + (o->key_file != NULL || o->key != NULL);
    if (given == 0)
        return 1;
    if (given < 3 || (o->key_file != NULL && o->key != NULL)) {
        say(o, "options identity, key_id and one of key_file and key go together");
    } else if (!is_token(o->identity) || !is_token(o->key_id)) {
        say(o, "options identity=%.100s key_id=%.100s: each has 1 to 64 letters, digits, '.', '_' and '-'", o->identity,
            o->key_id);
    } else if (o->key_file != NULL) {
        return read_key(p, o->key_file);
    } else if (o->key_length < 32 || o->key_length > LONGEST_KEY) {
        say(o, "options key: it has %lu bytes; 32 to %u are possible", (unsigned long)o->key_length, LONGEST_KEY);
    } else {
        memcpy(p->key, o->key, o->key_length);
        p->key_length = o->key_length;
        return 1;
    }
    return 0;
}

/* Whether it can be a name in a startup string. */
static int is_name(const char *text) {
    return strlen(text) <= LONGEST_NAME && strchr(text, '\377') == NULL && is_value(text, strlen(text));
}

static int check_names(const lrwp_options *o) {
    size_t i;
    if (o->context == NULL || o->context[0] == NULL || o->handler == NULL) {
        say(o, "options proxy, context and handler are needed");
        return 0;
    }
    for (i = 0; o->context[i] != NULL; i++)
        if (*o->context[i] == '\0' || !is_name(o->context[i])) {
            say(o, "options context=%.250s: it has 1 to %u bytes, none of them a control or FF", o->context[i], LONGEST_NAME);
            return 0;
        }
    if (!is_name(o->vhost) || strlen(o->name) > LONGEST_NAME || (o->upgrades != NULL && strlen(o->upgrades) > 300)) {
        say(o, "options vhost and name have at most %u bytes, upgrades 300", LONGEST_NAME);
        return 0;
    }
    return 1;
}

static int check_numbers(const lrwp_options *o) {
    if (o->concurrency > MOST_REQUESTS)
        say(o, "options concurrency=%u: at most %u", o->concurrency, MOST_REQUESTS);
    else if (o->drain_seconds > LONGEST_DRAIN)
        say(o, "options drain_seconds=%g: at most %u", o->drain_seconds, LONGEST_DRAIN);
    else if (o->secret_length > LONGEST_SECRET || (o->secret_length > 0 && o->secret == NULL))
        say(o, "options secret: at most %u bytes", LONGEST_SECRET);
    else if (o->upgrades != NULL && o->tunnel == NULL)
        say(o, "options upgrades needs tunnel");
    else
        return 1;
    return 0;
}

static int check_tls(const lrwp_options *o) {
    char why[300];
    void *session;
    if (o->tls == NULL && (o->ca_file != NULL || o->certificate != NULL || o->certificate_key != NULL)) {
        say(o, "options ca_file, certificate and certificate_key need tls");
        return 0;
    }
    if (o->tls == NULL)
        return 1;
    session = open_session(o, -1, "localhost", 3, why, sizeof why);
    if (session == NULL) {
        say(o, "options tls: %s", why);
        return 0;
    }
    o->tls->close(session);
    return 1;
}

/* Takes apart host:port, [v6]:port or unix:/path. */
static const char *parse_proxy(proxy *x, int inside_tls) {
    const char *text = x->text, *colon = strrchr(text, ':'), *port = colon != NULL ? colon + 1 : "", *end = colon;
    const char *how = "write host:port, [v6]:port or unix:/path";
    if (strncmp(text, "unix:", 5) == 0) {
        if (text[5] == '\0' || strlen(text + 5) >= sizeof ((struct sockaddr_un *)NULL)->sun_path)
            return "the path of the socket is empty or too long";
        return inside_tls ? "a local socket has no host whose certificate could be checked: leave tls out" : NULL;
    }
    if (*text == '[') {
        text++;
        end = strchr(text, ']');
        if (end != NULL && end + 1 != colon)
            return how;
    } else if (colon != NULL && memchr(text, ':', (size_t)(colon - text)) != NULL) {
        return how;
    }
    if (colon == NULL || end == NULL)
        return "it has no port: write host:port, [v6]:port or unix:/path";
    if (end == text || (size_t)(end - text) >= sizeof x->host || memchr(text, ' ', (size_t)(end - text)) != NULL)
        return how;
    if (strlen(port) < 1 || strlen(port) > 5 || strspn(port, "0123456789") != strlen(port) || atoi(port) < 1
        || atoi(port) > 65535)
        return "its port is not a number from 1 to 65535";
    memcpy(x->host, text, (size_t)(end - text));
    strcpy(x->port, port);
    return NULL;
}

/* An address in figures and a local socket stay what they are; a name is looked up in the rounds. */
static void place_proxy(lrwp_peer *p, proxy *x) {
    struct addrinfo hints, *found = NULL;
    struct sockaddr_un local;
    connection *c;
    if (*x->host == '\0') {
        memset(&local, 0, sizeof local);
        local.sun_family = AF_UNIX;
        strcpy(local.sun_path, x->text + 5);
        c = add_connection(p, x);
        add_candidate(c, (struct sockaddr *)&local, sizeof local);
        strcpy(c->label, x->text);
        return;
    }
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST;
    x->is_name = getaddrinfo(x->host, x->port, &hints, &found) != 0;
    if (!x->is_name) {
        resolved(p, x, found);
        freeaddrinfo(found);
    }
}

static int set_proxies(lrwp_peer *p) {
    const lrwp_options *o = &p->options;
    const char *at = o->proxy, *wrong = NULL;
    unsigned i;
    if (at == NULL || *at == '\0') {
        say(o, "options proxy, context and handler are needed");
        return 0;
    }
    while (wrong == NULL && at != NULL) {
        size_t n;
        proxy *x;
        at += strspn(at, " ");
        n = strcspn(at, ",");
        p->proxies = memory(p->proxies, (p->proxy_count + 1) * sizeof *p->proxies);
        x = memset(&p->proxies[p->proxy_count++], 0, sizeof *p->proxies);
        x->looking = -1;
        x->delay = FIRST_DELAY_MS;
        snprintf(x->text, sizeof x->text, "%.*s", (int)(n < sizeof x->text ? n : sizeof x->text), at);
        while (*x->text != '\0' && x->text[strlen(x->text) - 1] == ' ')
            x->text[strlen(x->text) - 1] = '\0';
        wrong = n >= sizeof x->text ? "it is too long" : parse_proxy(x, o->tls != NULL);
        if (wrong != NULL)
            say(o, "options proxy=%s: %s", x->text, wrong);
        at = at[n] == ',' ? at + n + 1 : NULL;
    }
    p->polled = memory(NULL, p->proxy_count * sizeof *p->polled);
    for (i = 0; wrong == NULL && i < p->proxy_count; i++)
        place_proxy(p, &p->proxies[i]);
    return wrong == NULL;
}

static void make_instance(void) {
    unsigned char bytes[16];
    if (get_random(bytes, sizeof bytes))
        to_hex(bytes, sizeof bytes, instance);
}

lrwp_peer *lrwp_open(const lrwp_options *options) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    lrwp_peer *p = memset(memory(NULL, sizeof *p), 0, sizeof *p);
    lrwp_options *o = &p->options;
    *o = *options;
    o->vhost = o->vhost != NULL ? o->vhost : "";
    o->name = o->name != NULL ? o->name : "lrwp.c";
    o->concurrency = o->concurrency > 0 ? o->concurrency : 1;
    o->window = o->window > 0 ? o->window : 262144;
    o->max_body = o->max_body > 0 ? o->max_body : 64 * 1024 * 1024;
    o->drain_seconds = o->drain_seconds > 0 ? o->drain_seconds : 30;
    pthread_once(&once, make_instance);
    if (*instance == '\0' || !get_random(&p->random, sizeof p->random)) {
        say(o, "options: no random bytes from /dev/urandom");
    } else if (check_names(o) && check_numbers(o) && set_identity(p) && check_tls(o)) {
        while (o->context[p->context_count] != NULL)
            p->context_count++;
        if (set_proxies(p))
            return p;
    }
    lrwp_free(p);
    return NULL;
}

void lrwp_free(lrwp_peer *p) {
    unsigned i;
    if (p == NULL)
        return;
    p->draining = 1;
    while (p->connection_count > 0) {
        lose(p->connections[0], "");
        remove_connection(p, 0);
    }
    for (i = 0; i < p->proxy_count; i++)
        forget_look_up(&p->proxies[i]);
    free(p->connections);
    free(p->polled);
    free(p->proxies);
    free(p);
}
