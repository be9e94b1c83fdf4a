/* The LRWP 1.0 peer of the benchmarks: n connections in one loop, each with one request at a time.
 *
 * lrwp1 PORT CONTEXT CONNECTIONS */
#include "loop.h"
#include "work.h"

static long digits(const char *text)
{
    char nine[10] = {0};

    memcpy(nine, text, 9);
    return atol(nine);
}

static const char *variable(const char *block, const char *end, const char *name)
{
    size_t size = strlen(name);
    const char *at;

    for (at = block; at < end && *at; at += strlen(at) + 1)
        if (strncmp(at, name, size) == 0 && at[size] == '=')
            return at + size + 1;
    return "";
}

static void reply(struct connection *c, const char *head, const char *body, size_t length)
{
    char out[WORK_ANSWER + 256];
    int size = snprintf(out, 256, "%09zu%s", strlen(head) + length, head);

    memcpy(out + size, body, length);
    loop_write(c, out, (size_t)size + length);
}

static size_t answer(struct connection *c)
{
    const char *block = c->in + 9, *end, *page;
    struct work_request request = {.body_length = 0};
    size_t env, body;

    if (c->length < 9)
        return 0;
    env = (size_t)digits(c->in);
    if (c->length < 9 + env + 9)
        return 0;
    body = (size_t)digits(block + env);
    if (c->length < 9 + env + 9 + body)
        return 0;
    end = block + env;
    request.method = work_string(variable(block, end, "REQUEST_METHOD"));
    request.query = work_string(variable(block, end, "QUERY_STRING"));
    if (work_varied(request.query)) {
        request.path = work_string(variable(block, end, "PATH_INFO"));
        request.cookie = work_string(variable(block, end, "HTTP_COOKIE"));
    }
    work_body(&request, end + 9, body);
    page = work_answer(&request);
    if (page != NULL)
        reply(c, "Content-Type: text/xml\r\n\r\n", page, WORK_ANSWER);
    else
        reply(c, "Status: 500 Not the work\r\n\r\n", "", 0);
    return 9 + env + 9 + body;
}

static void enrol(int poller, const char *port, const char *context)
{
    char hello[300], ok[2];
    int fd = loop_dial(port), size = snprintf(hello, sizeof hello, "%s\377\377", context);

    if (write(fd, hello, (size_t)size) != size || recv(fd, ok, 2, MSG_WAITALL) != 2 || memcmp(ok, "OK", 2) != 0)
        fail("register");
    loop_add(poller, fd);
}

int main(int argc, char **argv)
{
    int i, poller = epoll_create1(0);

    if (argc != 4) {
        fprintf(stderr, "usage: %s PORT CONTEXT CONNECTIONS\n", argv[0]);
        return 2;
    }
    work_prepare();
    for (i = 0; i < atoi(argv[3]); i++)
        enrol(poller, argv[1], argv[2]);
    loop_ready("registered");
    loop_run(poller, -1, answer);
    return 0;
}
