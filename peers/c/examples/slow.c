/* Work of ten seconds, given up when nobody waits for its end any more. */
#include "options.h"

static void handle(lrwp_request *r)
{
    print_line("began");
    lrwp_after(r, 10000);
}

static void done(lrwp_request *r)
{
    lrwp_answer(r, "200 OK", "text/plain", NULL, "done\n", 5);
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
    options.timer = done;
    options.cancelled = cancelled;
    return lrwp_serve(&options);
}
