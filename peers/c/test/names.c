/*
 * What the test says about names and time, in place of the machine: LRWP_TEST_NAMES is a file with the addresses that
 * every name has. An address 192.0.2.N is dialled as 127.0.0.N, as a library may take all loopback addresses for one.
 * The clock is ahead by seconds_later.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

extern int seconds_later;

int __real_clock_gettime(clockid_t, struct timespec *);
int __wrap_clock_gettime(clockid_t, struct timespec *);
int __real_getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
int __wrap_getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
int __real_connect(int, const struct sockaddr *, socklen_t);
int __wrap_connect(int, const struct sockaddr *, socklen_t);

int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found)
{
    const char *names = getenv("LRWP_TEST_NAMES");
    struct addrinfo **end = found;
    char address[64];
    FILE *file;

    if (names == NULL || (hints->ai_flags & AI_NUMERICHOST) != 0)
        return __real_getaddrinfo(host, port, hints, found);
    file = fopen(names, "r");
    if (file == NULL)
        return EAI_AGAIN;
    *end = NULL;
    while (fscanf(file, "%63s", address) == 1) {
        if (__real_getaddrinfo(address, port, hints, end) != 0)
            abort();
        end = &(*end)->ai_next;
    }
    fclose(file);
    return *found == NULL ? EAI_NONAME : 0;
}

int __wrap_connect(int socket, const struct sockaddr *to, socklen_t length)
{
    const struct sockaddr_in *given = (const struct sockaddr_in *)(const void *)to;
    struct sockaddr_in there;

    if (to->sa_family != AF_INET || ntohl(given->sin_addr.s_addr) >> 8 != 0xc00002)
        return __real_connect(socket, to, length);
    there = *given;
    there.sin_addr.s_addr = htonl(0x7f000000 | (ntohl(given->sin_addr.s_addr) & 0xff));
    return __real_connect(socket, (const struct sockaddr *)&there, sizeof there);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = __real_clock_gettime(clock, now);

    now->tv_sec += seconds_later;
    return result;
}
