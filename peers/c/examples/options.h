/* The command line that all examples share: --proxy HOST:PORT --context NAME [--concurrency N] [--secret-file F] */
#ifndef OPTIONS_H
#define OPTIONS_H

#define LRWP_IMPLEMENTATION
#include "../lrwp.h"

/* The log goes to standard output, line by line, so that a script can wait for "registered". */
static void print_line(const char *line)
{
    puts(line);
    fflush(stdout);
}

static void usage(const char *program)
{
    fprintf(stderr, "%s --proxy HOST:PORT --context NAME [--concurrency N] [--secret-file F] [--repeatable]\n", program);
    exit(2);
}

static void read_secret(lrwp_options *o, const char *file)
{
    static char secret[1024];
    FILE *in = fopen(file, "rb");

    if (in == NULL) {
        perror(file);
        exit(2);
    }
    o->secret_length = fread(secret, 1, sizeof secret, in);
    fclose(in);
    while (o->secret_length > 0 && (secret[o->secret_length - 1] == '\n' || secret[o->secret_length - 1] == '\r'))
        o->secret_length--;
    o->secret = secret;
}

static lrwp_options parse_options(int argc, char **argv)
{
    static const char *contexts[16];
    static char host[256];
    lrwp_options o;
    int i, n = 0;
    char *colon;

    memset(&o, 0, sizeof o);
    o.name = argv[0];
    o.capacity = 8;
    o.log = print_line;
    for (i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(argv[i], "--repeatable") == 0) {
            o.repeatable = 1;
            continue;
        }
        if (value == NULL)
            usage(argv[0]);
        i++;
        if (strcmp(argv[i - 1], "--proxy") == 0 && strlen(value) < sizeof host) {
            strcpy(host, value);
            colon = strrchr(host, ':');
            if (colon == NULL)
                usage(argv[0]);
            *colon = '\0';
            o.host = host;
            o.port = colon + 1;
        } else if (strcmp(argv[i - 1], "--context") == 0 && n < 15) {
            contexts[n++] = value;
        } else if (strcmp(argv[i - 1], "--concurrency") == 0) {
            o.capacity = (unsigned)strtoul(value, NULL, 10);
        } else if (strcmp(argv[i - 1], "--secret-file") == 0) {
            read_secret(&o, value);
        } else {
            usage(argv[0]);
        }
    }
    if (n == 0 || o.host == NULL || o.capacity == 0 || o.capacity > 100000)
        usage(argv[0]);
    o.contexts = contexts;
    return o;
}

#endif
