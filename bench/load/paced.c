/* A load of constant rate. Each request has its time on a schedule that nobody can shift; its latency is counted from there,
 * also when it had to wait for a connection. So a server that stalls is seen by all requests that would have come meanwhile.
 *
 * paced PORT PATH RATE SECONDS CONNECTIONS BODY   (POST with BODY bytes; 0 = GET)
 *
 * Prints one line: requests=N errors=N rate=R p50=us p90=us p99=us p999=us max=us. All latencies are kept and sorted. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 16384, EVENTS = 256, GRACE_SECONDS = 5 };

struct client {
    int fd;
    int64_t due; /* of the request under way */
    size_t length;
    struct client *next_free;
    char in[BUFFER + 1];
};

static struct sockaddr_in server;
static int poller, errors;
static char *request;
static size_t request_length, total, done;
static uint32_t *latencies;
static struct client *idle;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void dial(struct client *client)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    int on = 1;

    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (client->fd < 0 || connect(client->fd, (struct sockaddr *)&server, sizeof server) < 0)
        fail("connect");
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (epoll_ctl(poller, EPOLL_CTL_ADD, client->fd, &event) < 0)
        fail("epoll_ctl");
}

static void redial(struct client *client)
{
    close(client->fd);
    dial(client);
}

static void rest(struct client *client)
{
    client->due = 0;
    client->length = 0;
    client->next_free = idle;
    idle = client;
}

static void finish(struct client *client, int good)
{
    int64_t taken = (now() - client->due) / 1000;

    latencies[done++] = taken > UINT32_MAX ? UINT32_MAX : (uint32_t)taken;
    errors += !good;
    rest(client);
}

static const char *field(const char *head, const char *name)
{
    const char *at = strcasestr(head, name);

    return at == NULL ? NULL : at + strlen(name);
}

/* 1 when the answer is whole: by its length, or by its last chunk. */
static int whole(struct client *c, char *body)
{
    const char *length;
    size_t there = c->length - (size_t)(body - c->in);

    length = field(c->in, "\r\nContent-Length:");
    if (length != NULL)
        return there >= strtoul(length, NULL, 10);
    return there >= 5 && memcmp(c->in + c->length - 5, "0\r\n\r\n", 5) == 0;
}

static void receive(struct client *c)
{
    ssize_t got = read(c->fd, c->in + c->length, BUFFER - c->length);
    char *end;
    int closes;

    if (got <= 0) {
        if (c->due != 0)
            finish(c, 0);
        redial(c);
        return;
    }
    c->length += (size_t)got;
    c->in[c->length] = '\0';
    end = strstr(c->in, "\r\n\r\n");
    if (c->due == 0 || end == NULL)
        return;
    end[2] = '\0'; /* so that fields are looked for in the head only */
    if (!whole(c, end + 4)) {
        end[2] = '\r';
        if (c->length == BUFFER)
            fail("an answer above 16 KiB");
        return;
    }
    closes = field(c->in, "\r\nConnection: close") != NULL;
    finish(c, strncmp(c->in + 8, " 200", 4) == 0);
    if (closes)
        redial(c);
}

static void prepare(const char *port, const char *path, size_t body)
{
    char type[100] = "";

    if (body > 0)
        snprintf(type, sizeof type, "Content-Type: text/xml\r\nContent-Length: %zu\r\n", body);
    request = malloc(strlen(path) + body + 300);
    request_length = (size_t)sprintf(request, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n%s\r\n", body > 0 ? "POST" : "GET",
                                     path, port, type);
    memset(request + request_length, 'b', body);
    request_length += body;
}

/* Sends what is due, as far as connections are free: when the next one is due. */
static int64_t send_due(size_t *next, int64_t start, double period)
{
    while (*next < total) {
        int64_t due = start + (int64_t)((double)*next * period);
        struct client *client = idle;

        if (due > now() || client == NULL)
            return due;
        idle = client->next_free;
        client->due = due;
        ++*next;
        if (write(client->fd, request, request_length) != (ssize_t)request_length) {
            finish(client, 0);
            idle = client->next_free;
            redial(client);
            rest(client);
        }
    }
    return INT64_MAX;
}

static void run(int64_t start, double period, int64_t last)
{
    struct epoll_event events[EVENTS];
    size_t next = 0;

    while (done < total && now() < last) {
        int64_t wait = send_due(&next, start, period) - now();
        struct timespec timeout = {0, 100000000};
        int i, count;

        if (wait < timeout.tv_nsec && idle != NULL)
            timeout.tv_nsec = wait < 0 ? 0 : wait;
        count = epoll_pwait2(poller, events, EVENTS, &timeout, NULL);
        for (i = 0; i < count; i++)
            receive(events[i].data.ptr);
    }
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static uint32_t percentile(double part)
{
    size_t at = (size_t)(part * (double)done);

    return latencies[at < done ? at : done - 1];
}

int main(int argc, char **argv)
{
    int i, connections;
    double rate;
    int64_t start;

    if (argc != 7) {
        fprintf(stderr, "usage: %s PORT PATH RATE SECONDS CONNECTIONS BODY\n", argv[0]);
        return 2;
    }
    rate = atof(argv[3]);
    total = (size_t)(rate * atof(argv[4]));
    connections = atoi(argv[5]);
    latencies = calloc(total + 1, sizeof *latencies);
    prepare(argv[1], argv[2], (size_t)atoi(argv[6]));
    server.sin_family = AF_INET;
    server.sin_port = htons((unsigned short)atoi(argv[1]));
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_TIMERSLACK, 1000);
    poller = epoll_create1(0);
    for (i = 0; i < connections; i++) {
        struct client *client = calloc(1, sizeof *client);

        dial(client);
        rest(client);
    }
    start = now();
    run(start, 1e9 / rate, start + (int64_t)((atof(argv[4]) + GRACE_SECONDS) * 1e9));
    errors += (int)(total - done); /* no answer at all */
    if (done == 0)
        fail("no answer");
    qsort(latencies, done, sizeof *latencies, compare);
    printf("requests=%zu errors=%d rate=%.1f p50=%u p90=%u p99=%u p999=%u max=%u\n", done, errors,
           (double)done / ((double)(now() - start) / 1e9), percentile(0.5), percentile(0.9), percentile(0.99),
           percentile(0.999), latencies[done - 1]);
    return 0;
}
