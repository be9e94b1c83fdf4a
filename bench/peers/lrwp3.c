/* The LRWP 3 peer of the benchmarks: one connection, CAPACITY requests at once. With COUNT it serves CONTEXT0 to
 * CONTEXT(COUNT-1) instead of CONTEXT. A CAPACITY of h followed by a number holds its requests: it never answers.
 *
 * lrwp3 PORT CONTEXT CAPACITY [COUNT] */
#include "../../peers/c/lrwp.h"
#include "work.h"

#include <stdlib.h>

static int expected = 1, registered;

static void handle(lrwp_request *r)
{
    struct work_request request = {.method = work_string(lrwp_env(r, "REQUEST_METHOD"))};
    const char *answer;

    request.query = work_string(lrwp_env(r, "QUERY_STRING"));
    if (work_varied(request.query)) {
        request.path = work_string(lrwp_env(r, "PATH_INFO"));
        request.cookie = work_string(lrwp_env(r, "HTTP_COOKIE"));
    }
    work_body(&request, r->body, r->body_length);
    answer = work_answer(&request);
    if (answer != NULL)
        lrwp_answer(r, "200 OK", "text/xml", NULL, answer, WORK_ANSWER);
    else
        lrwp_answer(r, "500 Not the work", "text/plain", NULL, "", 0);
}

static void hold(lrwp_request *r)
{
    (void)r;
}

static void end(lrwp_request *r)
{
    lrwp_answer(r, "500 Held", "text/plain", NULL, "", 0);
}

static void count_registered(const char *line)
{
    if (strncmp(line, "registered ", 11) != 0)
        puts(line);
    else if (++registered == expected)
        puts("registered");
    fflush(stdout);
}

static const char **names(const char *context, int count)
{
    const char **all = calloc((size_t)count + 1, sizeof *all);
    int i;

    for (i = 0; i < count; i++) {
        char *name = malloc(strlen(context) + 12);

        sprintf(name, "%s%d", context, i);
        all[i] = name;
    }
    return all;
}

int main(int argc, char **argv)
{
    const char *one[2] = {NULL, NULL};
    char proxy[32];
    lrwp_options options;

    if (argc < 4 || argc > 5) {
        fprintf(stderr, "usage: %s PORT CONTEXT CAPACITY [COUNT]\n", argv[0]);
        return 2;
    }
    work_prepare();
    memset(&options, 0, sizeof options);
    snprintf(proxy, sizeof proxy, "127.0.0.1:%s", argv[1]);
    options.proxy = proxy;
    options.name = "bench";
    options.log = count_registered;
    options.handler = *argv[3] == 'h' ? hold : handle;
    options.cancelled = end;
    options.concurrency = (unsigned)atoi(argv[3] + (*argv[3] == 'h'));
    one[0] = argv[2];
    options.context = one;
    if (argc == 5) {
        expected = atoi(argv[4]);
        options.context = names(argv[2], expected);
    }
    return lrwp_serve(&options);
}
