/* Server-sent events: ten, one each half second. Each goes out at the end of its round, so it is on its way at once. */
#include "options.h"

static void tick(lrwp_request *r)
{
    int *count = r->data;
    char event[64];

    printf("event %d\n", ++*count);
    fflush(stdout);
    lrwp_write(r, event, (size_t)snprintf(event, sizeof event, "id: %d\ndata: tick %d\n\n", *count, *count));
    if (*count < 10) {
        lrwp_after(r, 500);
        return;
    }
    free(count);
    lrwp_end(r);
}

static void handle(lrwp_request *r)
{
    r->data = calloc(1, sizeof(int));
    if (r->data == NULL) {
        lrwp_fail(r, "out of memory");
        return;
    }
    lrwp_head(r, "200 OK", "text/event-stream", "Cache-Control: no-store\r\n");
    tick(r);
}

static void cancelled(lrwp_request *r)
{
    print_line("cancelled");
    free(r->data);
    lrwp_end(r);
}

int main(int argc, char **argv)
{
    lrwp_options options = parse_options(argc, argv);

    options.handler = handle;
    options.timer = tick;
    options.cancelled = cancelled;
    return lrwp_serve(&options);
}
