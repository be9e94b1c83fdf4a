/* A protocol of its own instead of HTTP, called "echo": what the client sends comes back. */
#include "options.h"

static void handle(lrwp_request *r)
{
    if (strcmp(lrwp_env(r, "HTTP_UPGRADE"), "echo") == 0)
        lrwp_upgrade(r, "echo", NULL);
    else
        lrwp_answer(r, "426 Upgrade Required", "text/plain", NULL, "this is for echo\n", 17);
}

static void tunnel(lrwp_request *r, const void *bytes, size_t count, int end)
{
    lrwp_write(r, bytes, count);
    if (end)
        lrwp_end(r);
}

static void cancelled(lrwp_request *r)
{
    print_line("cancelled");
    lrwp_end(r);
}

int main(int argc, char **argv)
{
    lrwp_options options = parse_options(argc, argv);

    options.handler = handle;
    options.upgrades = "echo";
    options.tunnel = tunnel;
    options.cancelled = cancelled;
    return lrwp_serve(&options);
}
