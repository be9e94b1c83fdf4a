/* Peers inside TLS 1.3, by OpenSSL 3: see lrwp_tls in lrwp.h. Link it with -lssl -lcrypto. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "lrwp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "lrwp_tls.c needs OpenSSL 3"
#endif

typedef struct session {
    int socket, ended, failed;
    BIO_METHOD *method;
    SSL_CTX *context;
    SSL *ssl;
    char why[300];
} session;

/* ---- the socket, without SIGPIPE, which OpenSSL's own would raise ---- */

static int is_for_later(void) {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static int socket_write(BIO *bio, const char *from, int count) {
    const session *s = BIO_get_data(bio);
    ssize_t n = send(s->socket, from, (size_t)count, MSG_NOSIGNAL);
    BIO_clear_retry_flags(bio);
    if (n < 0 && is_for_later())
        BIO_set_retry_write(bio);
    return (int)n;
}

static int socket_read(BIO *bio, char *to, int room) {
    session *s = BIO_get_data(bio);
    ssize_t n = recv(s->socket, to, (size_t)room, 0);
    BIO_clear_retry_flags(bio);
    if (n < 0 && is_for_later())
        BIO_set_retry_read(bio);
    s->ended = n == 0;
    return (int)n;
}

static long socket_control(BIO *bio, int command, long number, void *pointer) {
    const session *s = BIO_get_data(bio);
    (void)number;
    (void)pointer;
    return command == BIO_CTRL_FLUSH ? 1 : command == BIO_CTRL_EOF ? s->ended : 0;
}

static BIO *socket_bio(session *s) {
    BIO *bio = NULL;
    s->method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "lrwp socket");
    if (s->method != NULL && BIO_meth_set_write(s->method, socket_write) && BIO_meth_set_read(s->method, socket_read)
        && BIO_meth_set_ctrl(s->method, socket_control))
        bio = BIO_new(s->method);
    if (bio != NULL) {
        BIO_set_data(bio, s);
        BIO_set_init(bio, 1);
    }
    return bio;
}

/* ---- what went wrong ---- */

/* OpenSSL's first reason, behind a text of ours. */
static void explain(char *why, size_t room, const char *text) {
    unsigned long error = ERR_get_error();
    const char *reason = error == 0 ? NULL : ERR_SYSTEM_ERROR(error) ? strerror(ERR_GET_REASON(error))
                                                                     : ERR_reason_error_string(error);
    snprintf(why, room, "%s%s%s", text, reason != NULL ? ": " : "", reason != NULL ? reason : "");
    ERR_clear_error();
}

static int fail(session *s, int error) {
    int saved = errno;
    long verdict = SSL_get_verify_result(s->ssl);
    s->failed = 1;
    if (verdict != X509_V_OK)
        snprintf(s->why, sizeof s->why, "the proxy's certificate is not accepted: %s",
                 X509_verify_cert_error_string(verdict));
    else if (s->ended)
        snprintf(s->why, sizeof s->why, "the proxy has closed without close_notify");
    else if (error == SSL_ERROR_SYSCALL && ERR_peek_error() == 0)
        snprintf(s->why, sizeof s->why, "%s", strerror(saved));
    else if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_WRONG_VERSION_NUMBER)
        snprintf(s->why, sizeof s->why, "it does not answer in TLS 1.3: is this the port for peers inside TLS?");
    else
        explain(s->why, sizeof s->why, "TLS");
    ERR_clear_error();
    return LRWP_FAILED;
}

/* Why a call gave nothing. */
static int outcome(session *s, int result) {
    int error = SSL_get_error(s->ssl, result);
    switch (error) {
    case SSL_ERROR_WANT_READ:
        return LRWP_WANTS_READ;
    case SSL_ERROR_WANT_WRITE:
        return LRWP_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN:
        return 0;
    default:
        return fail(s, error);
    }
}

/* ---- what a session is ---- */

/* A key with a password would be asked for on the terminal. */
static int no_password(char *to, int room, int writing, void *data) {
    (void)to;
    (void)room;
    (void)writing;
    (void)data;
    return -1;
}

static int load_files(SSL_CTX *context, const lrwp_options *o, char *why, size_t room) {
    char text[200];
    const char *certificate = o->certificate, *key = o->certificate_key;
    SSL_CTX_set_default_passwd_cb(context, no_password);
    if (o->ca_file == NULL || (certificate == NULL) != (key == NULL)) {
        snprintf(why, room, "tls needs ca_file; certificate and certificate_key go together");
        return 0;
    }
    snprintf(text, sizeof text, "ca_file=%s", o->ca_file);
    if (!SSL_CTX_load_verify_file(context, o->ca_file)) {
        explain(why, room, text);
        return 0;
    }
    if (certificate == NULL)
        return 1;
    snprintf(text, sizeof text, "certificate=%s", certificate);
    if (SSL_CTX_use_certificate_chain_file(context, certificate)) {
        snprintf(text, sizeof text, "certificate_key=%s", key);
        if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) && SSL_CTX_check_private_key(context))
            return 1;
    }
    explain(why, room, text);
    return 0;
}

/* A certificate for an address has it as an address, one for a name as a name; the subject does not count. */
static int expect_host(SSL *ssl, const char *host) {
    X509_VERIFY_PARAM *expected = SSL_get0_param(ssl);
    X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (X509_VERIFY_PARAM_set1_ip_asc(expected, host))
        return 1;
    ERR_clear_error();
    return X509_VERIFY_PARAM_set1_host(expected, host, 0) && SSL_set_tlsext_host_name(ssl, host);
}

static int offer_alpn(SSL *ssl, const char *name) {
    unsigned char list[64];
    size_t n = name != NULL ? strlen(name) : 0;
    if (n == 0 || n >= sizeof list)
        return n == 0;
    list[0] = (unsigned char)n;
    memcpy(list + 1, name, n);
    return SSL_set_alpn_protos(ssl, list, (unsigned)n + 1) == 0; /* which says 0 when it is fine */
}

static void tls_close(void *of) {
    session *s = of;
    SSL_free(s->ssl);
    SSL_CTX_free(s->context);
    BIO_meth_free(s->method);
    free(s);
}

static void *tls_open(const lrwp_options *o, int socket, const char *host, const char *alpn, char *why, size_t room) {
    session *s = calloc(1, sizeof *s);
    BIO *bio = NULL;
    if (s == NULL) {
        snprintf(why, room, "out of memory");
        return NULL;
    }
    ERR_clear_error();
    s->socket = socket;
    s->context = SSL_CTX_new(TLS_client_method());
    *why = '\0';
    if (s->context != NULL && SSL_CTX_set_min_proto_version(s->context, TLS1_3_VERSION)
        && SSL_CTX_set_max_proto_version(s->context, TLS1_3_VERSION) && load_files(s->context, o, why, room)) {
        SSL_CTX_set_verify(s->context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_read_ahead(s->context, 1);
        s->ssl = SSL_new(s->context);
        bio = s->ssl != NULL ? socket_bio(s) : NULL;
        if (bio != NULL) {
            SSL_set_bio(s->ssl, bio, bio);
            SSL_set_mode(s->ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
            SSL_set_connect_state(s->ssl);
            if (expect_host(s->ssl, host) && offer_alpn(s->ssl, alpn))
                return s;
        }
    }
    if (*why == '\0')
        explain(why, room, "TLS cannot be set up");
    tls_close(s);
    return NULL;
}

static int tls_shake(void *of, unsigned char *certificate) {
    session *s = of;
    const unsigned char *chosen;
    unsigned size = 0;
    X509 *shown;
    int done;
    ERR_clear_error();
    done = SSL_connect(s->ssl);
    if (done <= 0) {
        done = outcome(s, done);
        return done == 0 ? fail(s, SSL_ERROR_SSL) : done;
    }
    shown = SSL_get1_peer_certificate(s->ssl);
    done = shown != NULL && SSL_get_verify_result(s->ssl) == X509_V_OK && X509_digest(shown, EVP_sha256(), certificate, &size)
        && size == 32;
    X509_free(shown);
    if (!done)
        return fail(s, SSL_ERROR_SSL);
    SSL_get0_alpn_selected(s->ssl, &chosen, &size);
    return size > 0;
}

static long tls_read(void *of, void *to, size_t room) {
    session *s = of;
    size_t n = 0;
    int done;
    ERR_clear_error();
    done = SSL_read_ex(s->ssl, to, room, &n);
    return done > 0 ? (long)n : outcome(s, done);
}

static long tls_write(void *of, const void *from, size_t count) {
    session *s = of;
    size_t n = 0;
    int done;
    ERR_clear_error();
    done = SSL_write_ex(s->ssl, from, count, &n);
    if (done > 0)
        return (long)n;
    done = outcome(s, done);
    return done == 0 ? fail(s, SSL_ERROR_SSL) : done;
}

static int tls_end(void *of) {
    session *s = of;
    int done;
    if (s->failed)
        return LRWP_FAILED;
    ERR_clear_error();
    done = SSL_shutdown(s->ssl);
    return done >= 0 ? 0 : outcome(s, done);
}

static const char *tls_why(const void *of) {
    const session *s = of;
    return s->why;
}

const lrwp_tls lrwp_openssl = {tls_open, tls_shake, tls_read, tls_write, tls_end, tls_why, tls_close};
