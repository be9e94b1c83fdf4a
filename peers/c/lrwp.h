/*
 * An LRWP peer in C99 and POSIX: lrwp.h and lrwp.c, and lrwp_tls.c for TLS by OpenSSL 3.
 *
 * A peer dials one or several proxies, says which URL contexts it serves, and gets HTTP requests over these connections.
 *
 * Everything happens on the thread that calls lrwp_serve, lrwp_run or lrwp_poll, your functions too. None of them may
 * block for long: what has to wait sets a timer with lrwp_after and answers later. A program whose functions do block
 * sets `blocking`, so that the proxy does not take its silence for death. (Names are looked up on a thread of their own.)
 */
#ifndef LRWP_H
#define LRWP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lrwp_peer lrwp_peer;
typedef struct lrwp_tls lrwp_tls;

/* One request. */
typedef struct lrwp_request {
    const char *body;                           /* its whole body, yours to read until lrwp_end; see options.body */
    size_t body_length;
    int cancelled;                              /* nobody waits for the answer any more */
    void *data;                                 /* yours; NULL at first */
    lrwp_peer *peer;
} lrwp_request;

/* What a peer is. Zero it and set what you need; proxy, context and handler are a must. Nothing is copied. */
typedef struct lrwp_options {
    const char *proxy;                          /* "host:port", "[v6]:port", "unix:/path"; several: with commas between */
    const char *const *context;                 /* such as "/echo" or ".ext"; a NULL ends the list */
    void (*handler)(lrwp_request *);            /* a request; with its whole body, unless `body` is set */
    unsigned concurrency;                       /* requests at once, 65536 at most; 0 = 1 */
    const char *vhost;                          /* only for this host; NULL = for every host */
    const char *name;                           /* shown in the proxy's status */

    const void *secret;                         /* of the contexts; with one there is no fallback to 1.0 */
    size_t secret_length;                       /* 1024 at most */
    const char *identity, *key_id;              /* who we are, and which of its keys we have: LRWP 3.1, nothing lower */
    const char *key_file;                       /* the key: hexadecimal digits, in a file that others cannot read; or */
    const void *key;                            /* its bytes, */
    size_t key_length;                          /* 32 to 256 */

    const lrwp_tls *tls;                        /* &lrwp_openssl = all of this inside TLS 1.3; NULL = without */
    const char *ca_file;                        /* PEM: who may have issued the proxy's certificate. All three files are */
    const char *certificate;                    /* read at each dial. PEM: our certificate, then its issuers; NULL = none */
    const char *certificate_key;                /* its key, in a file that others cannot read */

    uint32_t window;                            /* bytes of one body on their way to us; 0 = 256 KiB */
    size_t max_body;                            /* a longer one is answered 413; 0 = 64 MiB; not with `body` */
    double drain_seconds;                       /* how long open requests may take after lrwp_drain; 0 = 30 */
    int blocking;                               /* your functions may block for seconds: do not ping us */
    int repeatable;                             /* no STARTED before the handler: cheaper, see README.md */
    const char *upgrades;                       /* protocols taken instead of HTTP, such as "websocket"; see lrwp_upgrade */

    void (*body)(lrwp_request *, const void *bytes, size_t count, int end); /* body as it comes, after handler */
    void (*tunnel)(lrwp_request *, const void *bytes, size_t count, int end); /* what comes after lrwp_upgrade */
    void (*timer)(lrwp_request *);              /* the time set with lrwp_after is over */
    void (*cancelled)(lrwp_request *);          /* nobody waits for the answer; still call lrwp_end, soon */
    const char *(*admit)(lrwp_request *);       /* NULL, or why not: another peer gets it. No effects in here */
    void (*log)(const char *line);              /* NULL = standard error */
} lrwp_options;

/* Serves until drained: 0. When the options are wrong: 1, and a line in the log says what. */
int lrwp_serve(const lrwp_options *options);

/* The same in steps, for programs that do more. */
lrwp_peer *lrwp_open(const lrwp_options *options); /* NULL = the options are wrong; the log says what */
int lrwp_poll(lrwp_peer *peer, int timeout_ms); /* one round; 0 = drained, all is over */
void lrwp_run(lrwp_peer *peer);                 /* rounds until drained */
void lrwp_drain(lrwp_peer *peer);               /* finish, then leave; a signal handler may call it */
void lrwp_free(lrwp_peer *peer);                /* NULL is fine */

/* The answer: all at once, or head, writes, end. What is written goes out at the end of the round. `extra` is NULL or
 * more header lines, each with its CR LF. Every request needs exactly one lrwp_answer, lrwp_end or lrwp_fail, and is not
 * yours any more after it. A head that is not made of header fields (a control in a value, a name that is no token) and
 * an end without a head become 500, with a line in the log. */
const char *lrwp_env(const lrwp_request *r, const char *name); /* a CGI variable; "" when it is not there */
void lrwp_answer(lrwp_request *r, const char *status, const char *type, const char *extra, const void *body, size_t n);
void lrwp_head(lrwp_request *r, const char *status, const char *type, const char *extra);
void lrwp_write(lrwp_request *r, const void *bytes, size_t count);
void lrwp_end(lrwp_request *r);
void lrwp_fail(lrwp_request *r, const char *reason); /* 500, or a cut when the head is out; the log has the reason */
/* Answers 101, for a request whose HTTP_UPGRADE offers the protocol: from now on options.tunnel gets what the client
 * sends, lrwp_write sends to it, lrwp_end ends this direction only, lrwp_fail cuts the client. It is over when both
 * directions have ended; when options.cancelled comes it ends by itself after your lrwp_end. */
void lrwp_upgrade(lrwp_request *r, const char *protocol, const char *extra);
void lrwp_after(lrwp_request *r, int ms);       /* calls options.timer once, then */
size_t lrwp_pending(const lrwp_request *r);     /* bytes you wrote that have not yet gone to the proxy */

/* What puts a connection inside TLS. lrwp_tls.c has one; with another TLS library write these seven functions. A session
 * trusts nobody unchecked: it speaks TLS 1.3, and the certificate is of an authority in ca_file and for the host. */
struct lrwp_tls {
    /* A session on a connected socket that does not block; NULL and a reason when the files cannot be used. The socket
     * is -1 when only that is asked. A session sends by MSG_NOSIGNAL: no SIGPIPE. */
    void *(*open)(const lrwp_options *files, int socket, const char *host, const char *alpn, char *why, size_t room);
    /* 1 when it is done and the proxy has taken the ALPN name, 0 when it has not, or what it waits for. Then the SHA-256
     * of the proxy's certificate (DER) is in 32 bytes. */
    int (*shake)(void *session, unsigned char *certificate);
    long (*read)(void *session, void *to, size_t room);            /* bytes, 0 at close_notify, or what it waits for */
    long (*write)(void *session, const void *from, size_t count);  /* bytes, 1 at least, or what it waits for */
    int (*end)(void *session);                                     /* sends close_notify: 0, or what it waits for */
    const char *(*why)(const void *session);                       /* after LRWP_FAILED */
    void (*close)(void *session);                                  /* frees it; the socket stays */
};
enum { LRWP_FAILED = -1, LRWP_WANTS_READ = -2, LRWP_WANTS_WRITE = -3 };

extern const lrwp_tls lrwp_openssl;             /* in lrwp_tls.c */

#ifdef __cplusplus
}
#endif
#endif
