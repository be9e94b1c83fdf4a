/* Fails in the ways that a handler can: the client gets 500, and the log says why. */
#include "options.h"

static void handle(lrwp_request *r)
{
    const char *path = lrwp_env(r, "PATH_INFO"), *type = "text/plain", *extra = NULL;

    if (strcmp(path, "/fail") == 0) {
        lrwp_fail(r, "the disk is full");
        return;
    }
    if (strcmp(path, "/nothing") == 0) {
        lrwp_end(r);
        return;
    }
    if (strcmp(path, "/value") == 0)
        extra = "X-Value: a\nSet-Cookie: stolen=1\r\n";
    else if (strcmp(path, "/name") == 0)
        extra = "X Value: a\r\n";
    else if (strcmp(path, "/end") == 0)
        extra = "X-Value: a";
    else if (strcmp(path, "/type") == 0)
        type = "a\r\nSet-Cookie: stolen=1";
    lrwp_answer(r, "200 OK", type, extra, "fine\n", 5);
}

int main(int argc, char **argv)
{
    lrwp_options options = parse_options(argc, argv);

    options.handler = handle;
    return lrwp_serve(&options);
}
