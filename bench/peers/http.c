/* The HTTP/1.1 back end of the benchmarks. A body has a Content-Length or comes chunked, without trailers.
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
            return line + size + 1 + strspn(line + size + 1, " ");
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

/* Adds the pieces of a chunked body: how many bytes it took on its way, 0 when more is needed. */
static size_t read_chunks(struct work_request *r, const char *body, const char *end)
{
    const char *at = body;

    for (;;) {
        const char *line = memmem(at, (size_t)(end - at), "\r\n", 2);
        size_t length;

        if (line == NULL)
            return 0;
        length = strtoul(at, NULL, 16);
        at = line + 2 + length + 2;
        if (length > LOOP_BUFFER || at > end)
            return 0;
        if (length == 0)
            return (size_t)(at - body);
        work_body(r, line + 2, length);
    }
}

static struct work_text upto(const char *text, const char *end, const char *stops)
{
    struct work_text found = {text, 0};

    while (text + found.length < end && strchr(stops, text[found.length]) == NULL)
        found.length++;
    return found;
}

/* Method, path, query and cookie; end: of the head. */
static void read_head(struct work_request *r, const char *head, const char *end)
{
    const char *at, *cookie;

    r->method = upto(head, end, " ");
    at = head + r->method.length + 1;
    r->path = upto(at, end, " ?");
    at += r->path.length;
    if (*at == '?')
        r->query = upto(at + 1, end, " ");
    cookie = work_varied(r->query) ? field(head, end, "Cookie") : NULL;
    if (cookie != NULL)
        r->cookie = upto(cookie, end, "\r");
}

static size_t answer(struct connection *c)
{
    const char *end = memmem(c->in, c->length, "\r\n\r\n", 4), *number, *page;
    struct work_request request = {.body_length = 0};
    size_t head, body = 0;

    if (end == NULL)
        return 0;
    end += 2;
    head = (size_t)(end - c->in) + 2;
    if (field(c->in, end, "Transfer-Encoding") != NULL) {
        body = read_chunks(&request, end + 2, c->in + c->length);
        if (body == 0)
            return 0;
    } else {
        number = field(c->in, end, "Content-Length");
        body = number != NULL ? strtoul(number, NULL, 10) : 0;
        if (c->length < head + body)
            return 0;
        work_body(&request, end + 2, body);
    }
    read_head(&request, c->in, end);
    page = work_answer(&request);
    if (page != NULL)
        reply(c, "200 OK", page, WORK_ANSWER);
    else
        reply(c, "500 Not the work", "", 0);
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
