/* Answers each request with its method, its path and its body. */
#include "options.h"

static void handle(lrwp_request *r)
{
    lrwp_head(r, "200 OK", "text/plain", "X-Peer: c\r\n");
    lrwp_write(r, lrwp_env(r, "REQUEST_METHOD"), strlen(lrwp_env(r, "REQUEST_METHOD")));
    lrwp_write(r, " ", 1);
    lrwp_write(r, lrwp_env(r, "PATH_INFO"), strlen(lrwp_env(r, "PATH_INFO")));
    lrwp_write(r, "\n", 1);
    lrwp_write(r, r->body, r->body_length);
    lrwp_end(r);
}

int main(int argc, char **argv)
{
    lrwp_options options = parse_options(argc, argv);

    options.handler = handle;
    return lrwp_serve(&options);
}
