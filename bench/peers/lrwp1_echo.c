/* The LRWP 1.0 peer of the benchmarks: n connections in one poll loop, each with one request at a time. It answers
 * method and path, as peers/c/examples/echo.c does for a request without body.
 *
 * lrwp1_echo PORT CONTEXT CONNECTIONS */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST 1024
#define BUFFER 65536

struct peer {
    char in[BUFFER];
    size_t length;
};

static struct pollfd polled[MOST];
static struct peer *peers[MOST];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Dials, registers and waits for the acknowledgement. */
static int dial(int port, const char *context)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    char hello[300], ok[2];
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
        fail("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    int size = snprintf(hello, sizeof hello, "%s\377\377", context);
    if (write(fd, hello, (size_t)size) != size || recv(fd, ok, 2, MSG_WAITALL) != 2 || memcmp(ok, "OK", 2) != 0)
        fail("register");
    return fd;
}

static long digits(const char *text)
{
    char nine[10] = {0};
    memcpy(nine, text, 9);
    return atol(nine);
}

static const char *variable(const char *block, const char *end, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = block; at < end && *at; at += strlen(at) + 1)
        if (strncmp(at, name, size) == 0 && at[size] == '=')
            return at + size + 1;
    return "";
}

/* Answers the request if it is whole; 0 when more of it is needed. */
static int answer(int fd, struct peer *peer)
{
    char body[2048], frame[2200];
    if (peer->length < 9)
        return 0;
    size_t env = (size_t)digits(peer->in);
    if (peer->length < 9 + env + 9)
        return 0;
    size_t total = 9 + env + 9 + (size_t)digits(peer->in + 9 + env);
    if (total > BUFFER)
        fail("a request above 64 KiB");
    if (peer->length < total)
        return 0;
    const char *block = peer->in + 9;
    int size = snprintf(body, sizeof body, "Content-Type: text/plain\n\n%s %s\n",
                        variable(block, block + env, "REQUEST_METHOD"), variable(block, block + env, "PATH_INFO"));
    int all = snprintf(frame, sizeof frame, "%09d%s", size, body);
    if (write(fd, frame, (size_t)all) != all)
        fail("write");
    memmove(peer->in, peer->in + total, peer->length - total);
    peer->length -= total;
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s PORT CONTEXT CONNECTIONS\n", argv[0]);
        return 2;
    }
    int count = atoi(argv[3]);
    if (count < 1 || count > MOST) {
        fprintf(stderr, "CONNECTIONS is 1 to %d\n", MOST);
        return 2;
    }
    for (int i = 0; i < count; i++) {
        polled[i].fd = dial(atoi(argv[1]), argv[2]);
        polled[i].events = POLLIN;
        peers[i] = calloc(1, sizeof **peers);
    }
    puts("registered");
    fflush(stdout);
    for (;;) {
        if (poll(polled, (nfds_t)count, -1) < 0)
            fail("poll");
        for (int i = 0; i < count; i++) {
            if (!polled[i].revents)
                continue;
            struct peer *peer = peers[i];
            ssize_t got = read(polled[i].fd, peer->in + peer->length, BUFFER - peer->length);
            if (got <= 0)
                return 0;
            peer->length += (size_t)got;
            while (answer(polled[i].fd, peer))
                ;
        }
    }
}
