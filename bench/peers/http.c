/* The HTTP/1.1 back end of the benchmarks. Bodies need a Content-Length; what comes chunked is refused.
 *
 * http PORT */
#include "loop.h"
#include "work.h"

/* The value of a field of the head, which ends with an empty line; NULL when it is not there. */
static const char *field(const char *head, const char *end, const char *name)
{
    size_t size = strlen(name);
    const char *line = memchr(head, '\n', (size_t)(end - head));

    while (line != NULL && ++line < end) {
        if ((size_t)(end - line) > size && strncasecmp(line, name, size) == 0 && line[size] == ':')
            return line + size + 1;
        line = memchr(line, '\n', (size_t)(end - line));
    }
    return NULL;
}

static void reply(struct connection *c, const char *status, const char *body, size_t length)
{
    char out[WORK_ANSWER + 256];
    int head = snprintf(out, 256, "HTTP/1.1 %s\r\nContent-Type: text/xml\r\nContent-Length: %zu\r\n\r\n", status, length);

    memcpy(out + head, body, length);
    loop_write(c, out, (size_t)head + length);
}

static size_t answer(struct connection *c)
{
    const char *end = memmem(c->in, c->length, "\r\n\r\n", 4), *space, *number;
    size_t head, body = 0;

    if (end == NULL)
        return 0;
    end += 2;
    head = (size_t)(end - c->in) + 2;
    number = field(c->in, end, "Content-Length");
    if (number != NULL)
        body = strtoul(number, NULL, 10);
    if (c->length < head + body)
        return 0;
    space = memchr(c->in, ' ', head);
    if (field(c->in, end, "Transfer-Encoding") != NULL || space == NULL
        || !work_accepts(c->in, (size_t)(space - c->in), body))
        reply(c, "500 Not the work", "", 0);
    else
        reply(c, "200 OK", work_answer, WORK_ANSWER);
    return head + body;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s PORT\n", argv[0]);
        return 2;
    }
    work_prepare();
    int listener = loop_listen(argv[1]);
    loop_ready("listening");
    loop_run(epoll_create1(0), listener, answer);
    return 0;
}
