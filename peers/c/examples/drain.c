/* Leaves in order: after SIGTERM open requests (of one second) are answered, new ones go elsewhere, then the program ends. */
#include "options.h"

static lrwp_peer *peer;

static void on_sigterm(int signal)
{
    (void)signal;
    lrwp_drain(peer);
}

static void handle(lrwp_request *r)
{
    print_line("began");
    lrwp_after(r, 1000);
}

static void done(lrwp_request *r)
{
    lrwp_answer(r, "200 OK", "text/plain", NULL, "done\n", 5);
}

int main(int argc, char **argv)
{
    lrwp_options options = parse_options(argc, argv);
    struct sigaction action;

    options.handler = handle;
    options.timer = done;
    peer = lrwp_open(&options);
    if (peer == NULL)
        return 1;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_sigterm;
    sigaction(SIGTERM, &action, NULL);
    lrwp_run(peer);
    lrwp_free(peer);
    print_line("drained");
    return 0;
}
