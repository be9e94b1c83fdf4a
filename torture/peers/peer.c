/* The rig's peer with the C library: executes each request once in the file $TORTURE_RECORD, then echoes it. */
#include "options.h"

#include <fcntl.h>
#include <unistd.h>

static int record;
static lrwp_peer *peer;

static void leave(int number)
{
    (void)number;
    lrwp_drain(peer);
}

static void handle(lrwp_request *r)
{
    const char *method = lrwp_env(r, "REQUEST_METHOD"), *path = lrwp_env(r, "PATH_INFO");
    char line[512];
    int length = snprintf(line, sizeof line, "%s\n", lrwp_env(r, "HTTP_X_ID"));

    if (write(record, line, (size_t)length) != length)
        perror("record");
    lrwp_head(r, "200 OK", "text/plain", "");
    length = snprintf(line, sizeof line, "%s %s\n", method, path);
    lrwp_write(r, line, (size_t)length);
    lrwp_write(r, r->body, r->body_length);
    lrwp_end(r);
}

int main(int argc, char **argv)
{
    lrwp_options options = parse_options(argc, argv);
    const char *file = getenv("TORTURE_RECORD");

    record = open(file != NULL ? file : "", O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (record < 0) {
        perror("TORTURE_RECORD");
        return 2;
    }
    options.handler = handle;
    peer = lrwp_open(&options);
    if (peer == NULL)
        return 2;
    signal(SIGTERM, leave);
    lrwp_run(peer);
    return 0;
}
