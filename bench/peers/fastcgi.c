/* The FastCGI back end of the benchmarks: a responder that keeps its connections, one request at a time on each.
 *
 * fastcgi PORT */
#include "loop.h"
#include "work.h"

enum { HEAD = 8, BEGIN_REQUEST = 1, END_REQUEST = 3, PARAMS = 4, STDIN = 5, STDOUT = 6 };

static size_t content_length(const unsigned char *record)
{
    return (size_t)record[4] << 8 | record[5];
}

static unsigned char *put_head(unsigned char *at, int type, const unsigned char *request, size_t length)
{
    at[0] = 1;
    at[1] = (unsigned char)type;
    at[2] = request[2];
    at[3] = request[3];
    at[4] = (unsigned char)(length >> 8);
    at[5] = (unsigned char)length;
    at[6] = at[7] = 0;
    return at + HEAD;
}

static void reply(struct connection *c, const unsigned char *request, const char *status, const char *body, size_t length)
{
    unsigned char out[WORK_ANSWER + 256], *at;
    char head[200];
    int size = snprintf(head, sizeof head, "Status: %s\r\nContent-Type: text/xml\r\nContent-Length: %zu\r\n\r\n", status,
                        length);

    at = put_head(out, STDOUT, request, (size_t)size + length);
    memcpy(at, head, (size_t)size);
    memcpy(at + size, body, length);
    at = put_head(at + size + length, END_REQUEST, request, 8);
    memset(at, 0, 8);
    loop_write(c, out, (size_t)(at + 8 - out));
}

static const unsigned char *get_length(const unsigned char *at, size_t *length)
{
    if (*at < 128) {
        *length = *at;
        return at + 1;
    }
    *length = (size_t)(at[0] & 127) << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
    return at + 4;
}

/* The parameters of a record that the work looks at; the benchmarks' parameters all fit into one. */
static void read_parameters(struct work_request *r, const unsigned char *at, const unsigned char *end)
{
    const struct {
        const char *name;
        struct work_text *into;
    } wanted[] = {{"QUERY_STRING", &r->query}, {"REQUEST_METHOD", &r->method}, {"SCRIPT_NAME", &r->path},
                  {"HTTP_COOKIE", &r->cookie}};

    while (at < end) {
        struct work_text name = {NULL, 0}, value = {NULL, 0};
        size_t i;

        at = get_length(at, &name.length);
        at = get_length(at, &value.length);
        name.text = (const char *)at;
        value.text = (const char *)at + name.length;
        for (i = 0; i < sizeof wanted / sizeof *wanted; i++)
            if (work_is(name, wanted[i].name))
                *wanted[i].into = value;
        at += name.length + value.length;
    }
}

static size_t answer(struct connection *c)
{
    const unsigned char *in = (const unsigned char *)c->in, *at = in, *end = in + c->length;
    struct work_request request = {.body_length = 0};

    while (end - at >= HEAD) {
        size_t length = content_length(at);
        const unsigned char *next = at + HEAD + length + at[6];

        if (next > end)
            return 0;
        if (at[1] == PARAMS)
            read_parameters(&request, at + HEAD, at + HEAD + length);
        if (at[1] == STDIN)
            work_body(&request, (const char *)at + HEAD, length);
        if (at[1] == STDIN && length == 0) {
            const char *page = work_answer(&request);

            if (page != NULL)
                reply(c, in, "200 OK", page, WORK_ANSWER);
            else
                reply(c, in, "500 Not the work", "", 0);
            return (size_t)(next - in);
        }
        at = next;
    }
    return 0;
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
