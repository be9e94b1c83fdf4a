/* The command line that all examples share:
 * --proxy HOST:PORT [--proxy ...] --context NAME [--context ...] [--concurrency N] [--secret-file F]
 * [--identity NAME --key-id ID --key-file F] [--ca-file F [--certificate F --certificate-key F]] [--repeatable] */
#ifndef OPTIONS_H
#define OPTIONS_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "../lrwp.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The log goes to standard output, line by line, so that a script can wait for "registered". */
static void print_line(const char *line)
{
    puts(line);
    fflush(stdout);
}

static void usage(const char *program)
{
    fprintf(stderr,
            "%s --proxy HOST:PORT [--proxy ...] --context NAME [--context ...] [--concurrency N] [--secret-file F]\n"
            "    [--identity NAME --key-id ID --key-file F] [--ca-file F [--certificate F --certificate-key F]]\n"
            "    [--repeatable]\n",
            program);
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

static void inside_tls(lrwp_options *o, const char *ca_file)
{
#ifdef LRWP_TLS
    o->tls = &lrwp_openssl;
    o->ca_file = ca_file;
#else
    (void)o;
    fprintf(stderr, "--ca-file %s: built without TLS, see the README\n", ca_file);
    exit(2);
#endif
}

static int is(const char *option, const char *name)
{
    return strcmp(option, name) == 0;
}

static lrwp_options parse_options(int argc, char **argv)
{
    static const char *contexts[16];
    static char proxies[4096];
    lrwp_options o;
    int i, n = 0;

    memset(&o, 0, sizeof o);
    o.name = argv[0];
    o.concurrency = 8;
    o.log = print_line;
    for (i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (is(option, "--repeatable")) {
            o.repeatable = 1;
            continue;
        }
        if (value == NULL)
            usage(argv[0]);
        i++;
        if (is(option, "--proxy") && strlen(proxies) + strlen(value) + 2 < sizeof proxies) {
            strcat(proxies, *proxies != '\0' ? "," : "");
            strcat(proxies, value);
        } else if (is(option, "--context") && n < 15)
            contexts[n++] = value;
        else if (is(option, "--concurrency"))
            o.concurrency = (unsigned)strtoul(value, NULL, 10);
        else if (is(option, "--secret-file"))
            read_secret(&o, value);
        else if (is(option, "--identity"))
            o.identity = value;
        else if (is(option, "--key-id"))
            o.key_id = value;
        else if (is(option, "--key-file"))
            o.key_file = value;
        else if (is(option, "--ca-file"))
            inside_tls(&o, value);
        else if (is(option, "--certificate"))
            o.certificate = value;
        else if (is(option, "--certificate-key"))
            o.certificate_key = value;
        else
            usage(argv[0]);
    }
    if (n == 0 || *proxies == '\0' || o.concurrency == 0)
        usage(argv[0]);
    o.proxy = proxies;
    o.context = contexts;
    return o;
}

#endif
