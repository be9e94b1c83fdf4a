/* One thread, one epoll loop, connections that each carry one request at a time: what the back ends of the benchmarks have in
 * common. Linux, as the benchmarks are. */
#ifndef LOOP_H
#define LOOP_H
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOP_BUFFER = 65536, LOOP_EVENTS = 256 };

struct connection {
    int fd;
    size_t length;
    char in[LOOP_BUFFER];
};

/* Answers the request at the beginning of the input if it is whole: how many bytes it had, 0 when more is needed. */
typedef size_t (*loop_answer)(struct connection *connection);

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static struct sockaddr_in loop_address(const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void loop_no_delay(int fd)
{
    int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static inline int loop_listen(const char *port)
{
    struct sockaddr_in address = loop_address(port);
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 4096) < 0)
        fail("listen");
    return fd;
}

static inline int loop_dial(const char *port)
{
    struct sockaddr_in address = loop_address(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
        fail("connect");
    loop_no_delay(fd);
    return fd;
}

/* The answers are small and each connection has one under way: they always fit the socket's buffer. */
static void loop_write(struct connection *connection, const void *bytes, size_t count)
{
    if (write(connection->fd, bytes, count) != (ssize_t)count && errno != EPIPE && errno != ECONNRESET)
        fail("write");
}

static void loop_watch(int poller, int fd, void *data)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = data};

    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0)
        fail("epoll_ctl");
}

static void loop_add(int poller, int fd)
{
    struct connection *connection = malloc(sizeof *connection);

    if (connection == NULL)
        fail("malloc");
    connection->fd = fd;
    connection->length = 0;
    loop_watch(poller, fd, connection);
}

/* 0 when the connection has ended. */
static int loop_read(struct connection *c, loop_answer answer)
{
    ssize_t got = read(c->fd, c->in + c->length, LOOP_BUFFER - c->length);
    size_t used;

    if (got <= 0)
        return 0;
    c->length += (size_t)got;
    while (c->length > 0 && (used = answer(c)) > 0) {
        memmove(c->in, c->in + used, c->length - used);
        c->length -= used;
    }
    if (c->length == LOOP_BUFFER)
        fail("a request above 64 KiB");
    return 1;
}

/* Serves for ever. With a listener: whoever connects. Without (-1): the connections that were added, until one ends. */
static void loop_run(int poller, int listener, loop_answer answer)
{
    struct epoll_event events[LOOP_EVENTS];

    signal(SIGPIPE, SIG_IGN);
    if (listener >= 0)
        loop_watch(poller, listener, NULL);
    for (;;) {
        int i, count = epoll_wait(poller, events, LOOP_EVENTS, -1);

        for (i = 0; i < count; i++) {
            struct connection *connection = events[i].data.ptr;

            if (connection == NULL) {
                int fd = accept(listener, NULL, NULL);

                if (fd < 0)
                    fail("accept");
                loop_no_delay(fd);
                loop_add(poller, fd);
            } else if (!loop_read(connection, answer)) {
                if (listener < 0)
                    return;
                close(connection->fd);
                free(connection);
            }
        }
    }
}

static void loop_ready(const char *line)
{
    puts(line);
    fflush(stdout);
}

#endif
