/* The test peer of peers/conformance: what it does is in docs/protocol.md, section 19. */
#include "options.h"

/* What a request that does not end at once is doing; hangs on r->data until it has ended. */
typedef struct task {
    enum { ECHO, SLOW, STREAM, LATE } kind;
    unsigned long next, pieces, size, ms, linger;
} task;

enum { MUCH = 1 << 20 }; /* bytes of a stream that wait to be sent */

static lrwp_peer *peer;

static void on_sigterm(int signal)
{
    (void)signal;
    lrwp_drain(peer);
}

static int has_path(const lrwp_request *r, const char *path)
{
    return strcmp(lrwp_env(r, "PATH_INFO"), path) == 0;
}

/* A number of the query; 0 when it is not there. */
static unsigned long query(const lrwp_request *r, const char *name)
{
    const char *at = lrwp_env(r, "QUERY_STRING");
    size_t length = strlen(name);

    for (; at != NULL; at = strchr(at, '&') != NULL ? strchr(at, '&') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return strtoul(at + length + 1, NULL, 10);
    return 0;
}

/* Writes bytes of which the byte at i is i modulo 251. */
static void write_bytes(lrwp_request *r, unsigned long begin, unsigned long count)
{
    unsigned char part[4096];
    unsigned long i, n;

    for (; count > 0; begin += n, count -= n) {
        n = count < sizeof part ? count : sizeof part;
        for (i = 0; i < n; i++)
            part[i] = (unsigned char)((begin + i) % 251);
        lrwp_write(r, part, n);
    }
}

static task *begin(lrwp_request *r)
{
    task *t = calloc(1, sizeof *t);

    if (t == NULL)
        abort();
    r->data = t;
    return t;
}

static void end(lrwp_request *r)
{
    free(r->data);
    r->data = NULL;
    lrwp_end(r);
}

/* Writes pieces, and the next ones later: after the time between them, or when the proxy has taken most of these. */
static void stream(lrwp_request *r, task *t)
{
    while (t->next < t->pieces) {
        if (lrwp_pending(r) > MUCH) {
            lrwp_after(r, 1);
            return;
        }
        write_bytes(r, t->next++ * t->size, t->size);
        if (t->ms > 0 && t->next < t->pieces) {
            lrwp_after(r, (int)t->ms);
            return;
        }
    }
    end(r);
}

static void timer(lrwp_request *r)
{
    task *t = r->data;

    if (r->cancelled) { /* a slow one that goes on for a while */
        print_line("cancelled");
        end(r);
    } else if (t->kind == STREAM) {
        stream(r, t);
    } else if (t->kind == LATE) {
        free(t);
        r->data = NULL;
        lrwp_fail(r, "the handler fails late");
    } else {
        end(r);
    }
}

static void cancelled(lrwp_request *r)
{
    task *t = r->data;

    if (t != NULL && t->kind == SLOW && t->linger > 0) {
        lrwp_after(r, (int)t->linger);
        return;
    }
    if (t != NULL && t->kind == SLOW)
        print_line("cancelled");
    end(r);
}

static void fail(lrwp_request *r)
{
    if (has_path(r, "/fail")) {
        print_line("failed: the handler fails");
        lrwp_fail(r, "the handler fails");
    } else if (has_path(r, "/fail/late")) {
        lrwp_head(r, "200 OK", "text/plain", NULL);
        lrwp_write(r, "begun\n", 6);
        begin(r)->kind = LATE;
        lrwp_after(r, 10);
    } else {
        lrwp_answer(r, "200 OK", "text/plain",
                    has_path(r, "/fail/value") ? "X-Value: a\nSet-Cookie: stolen=1\r\n" : "X Value: a\r\n", "x", 1);
    }
}

static void slow(lrwp_request *r)
{
    task *t = begin(r);

    t->kind = SLOW;
    t->linger = query(r, "linger");
    print_line("began");
    lrwp_after(r, 30000);
}

static void start_stream(lrwp_request *r)
{
    task *t = begin(r);

    t->kind = STREAM;
    t->pieces = query(r, "n");
    t->size = query(r, "size");
    t->ms = query(r, "ms");
    lrwp_head(r, "200 OK", "text/plain", NULL);
    stream(r, t);
}

static int offers_echo(const lrwp_request *r)
{
    const char *at = lrwp_env(r, "HTTP_UPGRADE");

    for (; strlen(at) >= 4; at++)
        if ((at[0] | 32) == 'e' && (at[1] | 32) == 'c' && (at[2] | 32) == 'h' && (at[3] | 32) == 'o')
            return 1;
    return 0;
}

static void upgrade(lrwp_request *r)
{
    if (!offers_echo(r)) {
        lrwp_answer(r, "426 Upgrade Required", "text/plain", NULL, "this is for echo\n", 17);
        return;
    }
    lrwp_upgrade(r, "echo", NULL);
    if (has_path(r, "/upgrade/close")) {
        lrwp_write(r, "bye", 3);
        lrwp_end(r);
    }
}

static void tunnel(lrwp_request *r, const void *bytes, size_t count, int is_end)
{
    lrwp_write(r, bytes, count);
    if (is_end)
        lrwp_end(r);
}

/* The echo: the body is answered as it comes. */
static void body(lrwp_request *r, const void *bytes, size_t count, int is_end)
{
    const task *t = r->data;

    if (t == NULL || t->kind != ECHO)
        return; /* others do not look at it */
    lrwp_write(r, bytes, count);
    if (is_end)
        end(r);
}

static void handle(lrwp_request *r)
{
    const char *path = lrwp_env(r, "PATH_INFO"), *value = lrwp_env(r, lrwp_env(r, "QUERY_STRING"));
    char line[64];

    if (has_path(r, "/bytes")) {
        lrwp_head(r, "200 OK", "text/plain", NULL);
        write_bytes(r, 0, query(r, "n"));
        lrwp_end(r);
    } else if (has_path(r, "/env")) {
        lrwp_answer(r, "200 OK", "text/plain", NULL, value, strlen(value));
    } else if (has_path(r, "/stream")) {
        start_stream(r);
    } else if (has_path(r, "/slow")) {
        slow(r);
    } else if (has_path(r, "/fields")) {
        lrwp_answer(r, "200 OK", "text/plain", "X-One: 1\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n", "fields\n", 7);
    } else if (has_path(r, "/unread")) {
        lrwp_answer(r, "200 OK", "text/plain", NULL, "unread\n", 7);
    } else if (has_path(r, "/capacity")) {
        lrwp_answer(r, "501 Not Implemented", "text/plain", NULL, "its capacity stays\n", 19);
    } else if (strncmp(path, "/status/", 8) == 0) {
        snprintf(line, sizeof line, "%.3s Test", path + 8);
        lrwp_answer(r, line, "text/plain", NULL, "", 0);
    } else if (strncmp(path, "/fail", 5) == 0) {
        fail(r);
    } else if (strncmp(path, "/upgrade", 8) == 0) {
        upgrade(r);
    } else {
        begin(r)->kind = ECHO;
        lrwp_head(r, "200 OK", "text/plain", NULL);
        lrwp_write(r, lrwp_env(r, "REQUEST_METHOD"), strlen(lrwp_env(r, "REQUEST_METHOD")));
        lrwp_write(r, " ", 1);
        lrwp_write(r, path, strlen(path));
        lrwp_write(r, "\n", 1);
    }
}

static const char *admit(lrwp_request *r)
{
    return has_path(r, "/refuse") ? "not here" : NULL;
}

int main(int argc, char **argv)
{
    lrwp_options options = parse_options(argc, argv);
    struct sigaction action;

    options.handler = handle;
    options.body = body;
    options.timer = timer;
    options.cancelled = cancelled;
    options.admit = admit;
    options.upgrades = "echo";
    options.tunnel = tunnel;
    peer = lrwp_open(&options);
    if (peer == NULL)
        return 1;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_sigterm;
    sigaction(SIGTERM, &action, NULL);
    lrwp_run(peer);
    lrwp_free(peer);
    return 0;
}
