/* Takes an XML message by POST, as an OSP server does, and answers a small one with the same ids. */
#include "options.h"

/* Copies the value of the first attribute of a name, at most 40 bytes of it; 0 when there is none that is plain. */
static int attribute(const char *xml, const char *name, char *value)
{
    const char *at = strstr(xml, name);
    size_t length;

    if (at == NULL || strncmp(at + strlen(name), "=\"", 2) != 0)
        return 0;
    at += strlen(name) + 2;
    length = strspn(at, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-");
    if (at[length] != '"' || length > 40)
        return 0;
    memcpy(value, at, length);
    value[length] = '\0';
    return 1;
}

static void handle(lrwp_request *r)
{
    char message[64], component[64], answer[500];
    char *xml;
    int is_good, n;

    if (strcmp(lrwp_env(r, "REQUEST_METHOD"), "POST") != 0) {
        lrwp_answer(r, "405 Method Not Allowed", "text/plain", "Allow: POST\r\n", "POST only\n", 10);
        return;
    }
    xml = malloc(r->body_length + 1); /* the body has no NUL at its end */
    if (xml == NULL) {
        lrwp_fail(r, "out of memory");
        return;
    }
    memcpy(xml, r->body, r->body_length);
    xml[r->body_length] = '\0';
    is_good = strstr(xml, "<AuthorizationRequest") != NULL && attribute(xml, "messageId", message)
        && attribute(xml, "componentId", component);
    free(xml);
    if (!is_good) {
        lrwp_answer(r, "400 Bad Request", "text/plain", NULL, "no AuthorizationRequest\n", 24);
        return;
    }
    n = snprintf(answer, sizeof answer,
                 "<?xml version=\"1.0\"?>\n<Message messageId=\"%s\"><AuthorizationResponse componentId=\"%s\">"
                 "<Status><Code>200</Code></Status></AuthorizationResponse></Message>\n",
                 message, component);
    lrwp_answer(r, "200 OK", "text/xml", NULL, answer, (size_t)n);
}

int main(int argc, char **argv)
{
    lrwp_options options = parse_options(argc, argv);

    options.handler = handle;
    return lrwp_serve(&options);
}
