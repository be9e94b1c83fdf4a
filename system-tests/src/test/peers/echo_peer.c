/* An LRWP 1.0 peer in the manner of the 1990s: blocking, and trusting in what one read brings. */

#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define ACK_MAX 1023
#define LENGTH_DIGITS 9

struct arguments {
    const char *host, *port, *app, *vhost;
    long requests, pause_ms;
};

static void fail(const char *what)
{
    fprintf(stderr, "echo_peer: %s\n", what);
    exit(1);
}

static void usage(void)
{
    fprintf(stderr, "echo_peer HOST PORT APP [VHOST] [--requests N] [--pause-ms N]\n");
    exit(2);
}

static struct arguments parse(int argc, char **argv)
{
    struct arguments a = {NULL, NULL, NULL, "", 5, 0};
    const char **names[4] = {&a.host, &a.port, &a.app, &a.vhost};
    int i, named = 0;

    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--requests") == 0 && i + 1 < argc)
            a.requests = atol(argv[++i]);
        else if (strcmp(argv[i], "--pause-ms") == 0 && i + 1 < argc)
            a.pause_ms = atol(argv[++i]);
        else if (named < 4 && strncmp(argv[i], "--", 2) != 0)
            *names[named++] = argv[i];
        else
            usage();
    }
    if (named < 3 || strlen(a.app) > 200 || strlen(a.vhost) > 200)
        usage();
    return a;
}

static int dial(const char *host, const char *port)
{
    struct addrinfo hints, *found, *one;
    int s = -1;

    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, port, &hints, &found) != 0)
        fail("unknown host");
    for (one = found; one != NULL; one = one->ai_next) {
        s = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (s >= 0 && connect(s, one->ai_addr, one->ai_addrlen) == 0)
            break;
        if (s >= 0)
            close(s);
        s = -1;
    }
    freeaddrinfo(found);
    if (s < 0)
        fail("cannot connect");
    return s;
}

static void write_all(int s, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t n = write(s, bytes, count);
        if (n <= 0)
            fail("write failed");
        bytes += n;
        count -= (size_t) n;
    }
}

/* Returns 0 at the end of input before the first byte, else 1. */
static int read_all(int s, char *bytes, size_t count)
{
    size_t taken = 0;

    while (taken < count) {
        ssize_t n = read(s, bytes + taken, count - taken);
        if (n == 0 && taken == 0)
            return 0;
        if (n <= 0)
            fail("connection broken within a request");
        taken += (size_t) n;
    }
    return 1;
}

static void attach(int s, const struct arguments *a)
{
    char text[ACK_MAX + 1];
    struct timespec pause;
    ssize_t n;

    n = snprintf(text, sizeof text, "%s\377%s\377", a->app, a->vhost);
    write_all(s, text, (size_t) n);
    pause.tv_sec = a->pause_ms / 1000;
    pause.tv_nsec = a->pause_ms % 1000 * 1000000L;
    nanosleep(&pause, NULL);

    n = read(s, text, ACK_MAX);
    if (n < 0)
        fail("no acknowledgement");
    text[n] = '\0';
    if (strcmp(text, "OK") != 0)
        fail(text);
    puts("registered");
    fflush(stdout);
}

/* Reads a length and so many bytes; NULL at the end of input. The block ends with a NUL more. */
static char *read_block(int s, size_t *count)
{
    char digits[LENGTH_DIGITS + 1];
    char *block;

    if (!read_all(s, digits, LENGTH_DIGITS))
        return NULL;
    digits[LENGTH_DIGITS] = '\0';
    if (strspn(digits, "0123456789") != LENGTH_DIGITS)
        fail("bad length");
    *count = (size_t) atol(digits);
    block = malloc(*count + 1);
    if (block == NULL)
        fail("out of memory");
    if (*count > 0 && !read_all(s, block, *count))
        fail("connection broken within a request");
    block[*count] = '\0';
    return block;
}

static const char *variable(const char *env, size_t count, const char *name)
{
    const char *entry = env;
    size_t length = strlen(name);

    while (entry < env + count) {
        if (strncmp(entry, name, length) == 0 && entry[length] == '=')
            return entry + length + 1;
        entry += strlen(entry) + 1;
    }
    return "";
}

static void answer(int s, const char *env, size_t env_count, const char *body, size_t body_count)
{
    static const char format[] = "Content-Type: text/plain\r\nX-Peer: c\r\n\r\n%s %s %s\n";
    const char *method = variable(env, env_count, "REQUEST_METHOD");
    const char *path = variable(env, env_count, "PATH_INFO");
    const char *query = variable(env, env_count, "QUERY_STRING");
    size_t head_max = sizeof format + strlen(method) + strlen(path) + strlen(query);
    char *output = malloc(head_max + body_count);
    char digits[LENGTH_DIGITS + 8];
    size_t count;

    if (output == NULL)
        fail("out of memory");
    count = (size_t) snprintf(output, head_max, format, method, path, query);
    memcpy(output + count, body, body_count);
    count += body_count;
    snprintf(digits, sizeof digits, "%09lu", (unsigned long) count);
    write_all(s, digits, LENGTH_DIGITS);
    write_all(s, output, count);
    free(output);
}

int main(int argc, char **argv)
{
    struct arguments a = parse(argc, argv);
    long served;
    int s;

    signal(SIGPIPE, SIG_IGN);
    s = dial(a.host, a.port);
    attach(s, &a);
    for (served = 0; a.requests == 0 || served < a.requests; served++) {
        size_t env_count, body_count;
        char *env, *body;

        env = read_block(s, &env_count);
        if (env == NULL)
            break;
        body = read_block(s, &body_count);
        if (body == NULL)
            fail("connection broken within a request");
        answer(s, env, env_count, body, body_count);
        free(env);
        free(body);
    }
    close(s);
    return 0;
}
