/* The peer of the tests: what it does depends on the path. It leaves in order on SIGTERM, so that leaks are seen. */
#include "../examples/options.h"

int seconds_later; /* than the machine's clock says: see names.c */

static lrwp_peer *peer;
static lrwp_request *held[64];
static int held_count;
static size_t heard; /* by a tunnel that does not send it back */

static void on_sigterm(int signal)
{
    (void)signal;
    lrwp_drain(peer);
}

static void answer_text(lrwp_request *r, const char *text)
{
    lrwp_answer(r, "200 OK", "text/plain", NULL, text, strlen(text));
}

static void release(void)
{
    while (held_count > 0)
        answer_text(held[--held_count], "released\n");
}

static void large(lrwp_request *r)
{
    static char part[100000];
    int i;

    lrwp_head(r, "200 OK", "application/octet-stream", NULL);
    for (i = 0; i < 50; i++) {
        memset(part, 'a' + i % 26, sizeof part);
        lrwp_write(r, part, sizeof part);
    }
    lrwp_end(r);
}

/* Goes over to another protocol; one that is half closed only listens. */
static void upgrade(lrwp_request *r, int half_closed)
{
    heard = 0;
    lrwp_upgrade(r, "echo", NULL);
    if (half_closed) {
        lrwp_write(r, "bye\n", 4);
        lrwp_end(r);
    }
}

/* Blocks until the named pipe has been opened and closed at its other end, which takes ten minutes. */
static void block(lrwp_request *r)
{
    FILE *pipe = fopen(lrwp_env(r, "QUERY_STRING"), "r");

    if (pipe != NULL) {
        fgetc(pipe);
        fclose(pipe);
    }
    seconds_later += 600;
    answer_text(r, "blocked\n");
}

static void handle(lrwp_request *r)
{
    const char *path = lrwp_env(r, "PATH_INFO");

    if (is(path, "/fail")) {
        lrwp_fail(r, "the disk is full");
    } else if (is(path, "/nothing")) {
        lrwp_end(r);
    } else if (is(path, "/cut") || is(path, "/broken")) {
        lrwp_head(r, "200 OK", is(path, "/cut") ? "text/plain" : "a\nb", NULL);
        lrwp_write(r, "begun\n", 6);
        lrwp_after(r, 50);
    } else if (is(path, "/hold") && held_count < 64) {
        print_line("holding");
        held[held_count++] = r;
    } else if (is(path, "/release")) {
        release();
        answer_text(r, "released\n");
    } else if (is(path, "/large")) {
        large(r);
    } else if (is(path, "/block")) {
        block(r);
    } else if (is(path, "/later")) {
        lrwp_after(r, 0);
    } else if (is(path, "/half") || is(path, "/picky")) {
        upgrade(r, is(path, "/half"));
    } else {
        lrwp_answer(r, "200 OK", "text/plain", NULL, r->body, r->body_length);
    }
}

static void timer(lrwp_request *r)
{
    if (is(lrwp_env(r, "PATH_INFO"), "/cut")) {
        lrwp_fail(r, "given up");
        return;
    }
    if (is(lrwp_env(r, "PATH_INFO"), "/later")) {
        seconds_later += 1;
        print_line("a second later");
        lrwp_after(r, 100);
        return;
    }
    lrwp_write(r, "more\n", 5);
    lrwp_end(r);
}

static void cancelled(lrwp_request *r)
{
    int i;

    print_line("cancelled");
    for (i = 0; i < held_count; i++)
        if (held[i] == r)
            held[i--] = held[--held_count];
    if (is(lrwp_env(r, "PATH_INFO"), "/half"))
        lrwp_fail(r, "nobody listens"); /* its own direction has ended */
    else
        lrwp_end(r);
}

static void echo(lrwp_request *r, const void *bytes, size_t count, int end)
{
    lrwp_write(r, bytes, count);
    if (end)
        lrwp_end(r);
}

static void tunnel(lrwp_request *r, const void *bytes, size_t count, int end)
{
    const char *path = lrwp_env(r, "PATH_INFO");

    heard += count;
    if (is(path, "/half"))
        print_line("heard by /half");
    else if (!is(path, "/picky"))
        echo(r, bytes, count, end);
    else if (heard >= 131072)
        lrwp_fail(r, "too much");
}

static void handle_stream(lrwp_request *r)
{
    lrwp_head(r, "200 OK", "text/plain", NULL);
}

int main(int argc, char **argv)
{
    lrwp_options options = parse_options(argc, argv);
    struct sigaction action;

    options.handler = handle;
    options.timer = timer;
    options.cancelled = cancelled;
    options.upgrades = "echo";
    options.tunnel = tunnel;
    options.drain_seconds = 5;
    options.blocking = getenv("LRWP_TEST_BLOCKING") != NULL;
    if (getenv("LRWP_TEST_STREAM") != NULL) {
        options.handler = handle_stream;
        options.body = echo;
    }
    peer = lrwp_open(&options);
    if (peer == NULL)
        return 1;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_sigterm;
    sigaction(SIGTERM, &action, NULL);
    print_line("up");
    lrwp_run(peer);
    lrwp_free(peer);
    print_line("drained");
    return 0;
}
