/* The work of all back ends of the benchmarks, so that only the way to them differs. A request is answered with 1,024 bytes of
 * XML when it is one that the loads send, else with status 500: it has become another one on its way.
 *
 * The plain loads: GET without a body, or POST of 1,500 bytes; no query. The varied loads (load/requests.h): the query begins
 * with rid=ID, the cookie with sid=ID, the path ends with ID, a body of 200 to 3,000 bytes begins with {"id":"ID. ID is another
 * one in each request; the answer begins with it and with the length of the body, so that the client sees whose answer it has. */
#ifndef WORK_H
#define WORK_H
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    WORK_BODY = 1500,
    WORK_LEAST = 200,
    WORK_MOST = 3000,
    WORK_ANSWER = 1024,
    WORK_ID = 16,
    WORK_BEGIN = 7 + WORK_ID /* {"id":"ID */
};

struct work_text {
    const char *text;
    size_t length;
};

/* What a back end knows of a request. Path and cookie may be empty for a request of the plain loads. */
struct work_request {
    struct work_text method, path, query, cookie;
    size_t body_length;
    char begin[WORK_BEGIN]; /* of the body */
};

static char work_page[WORK_ANSWER];

static void work_prepare(void)
{
    static const char begin[] = "<?xml version=\"1.0\"?>\n<answer>", end[] = "</answer>\n";

    memset(work_page, 'a', WORK_ANSWER);
    memcpy(work_page, begin, sizeof begin - 1);
    memcpy(work_page + WORK_ANSWER - (sizeof end - 1), end, sizeof end - 1);
}

/* Adds a piece of the body as it has come. */
static inline void work_body(struct work_request *r, const char *piece, size_t length)
{
    size_t room = r->body_length < WORK_BEGIN ? WORK_BEGIN - r->body_length : 0;

    memcpy(r->begin + r->body_length * (room > 0), piece, length < room ? length : room);
    r->body_length += length;
}

static inline struct work_text work_string(const char *text)
{
    struct work_text found = {text, strlen(text)};

    return found;
}

static inline int work_is(struct work_text text, const char *expected)
{
    return text.length == strlen(expected) && memcmp(text.text, expected, text.length) == 0;
}

/* Whether the request is of the varied loads; only then path and cookie are looked at. */
static inline int work_varied(struct work_text query)
{
    return query.length >= 4 + WORK_ID && memcmp(query.text, "rid=", 4) == 0;
}

static inline int work_of_one(const struct work_request *r, const char *id)
{
    return r->path.length > WORK_ID && memcmp(r->path.text + r->path.length - WORK_ID, id, WORK_ID) == 0
        && r->cookie.length >= 4 + WORK_ID && memcmp(r->cookie.text, "sid=", 4) == 0
        && memcmp(r->cookie.text + 4, id, WORK_ID) == 0;
}

static inline int work_has_body_of(const struct work_request *r, const char *id)
{
    return r->body_length >= WORK_LEAST && r->body_length <= WORK_MOST && memcmp(r->begin, "{\"id\":\"", 7) == 0
        && memcmp(r->begin + 7, id, WORK_ID) == 0;
}

static inline const char *work_plain(const struct work_request *r)
{
    if (work_is(r->method, "POST"))
        return r->body_length == WORK_BODY ? work_page : NULL;
    return work_is(r->method, "GET") && r->body_length == 0 ? work_page : NULL;
}

/* The answer, WORK_ANSWER bytes until the next call; NULL for a request that no load sends. */
static inline const char *work_answer(const struct work_request *r)
{
    static char page[WORK_ANSWER];
    const char *id;
    char begin[80];
    int size;

    if (!work_varied(r->query))
        return work_plain(r);
    id = r->query.text + 4;
    if (!work_of_one(r, id))
        return NULL;
    if (work_is(r->method, "POST") ? !work_has_body_of(r, id) : !work_is(r->method, "GET") || r->body_length > 0)
        return NULL;
    if (page[0] == '\0')
        memcpy(page, work_page, WORK_ANSWER);
    size = snprintf(begin, sizeof begin, "<?xml version=\"1.0\"?>\n<answer id=\"%.16s\" length=\"%04zu\">", id, r->body_length);
    memcpy(page, begin, (size_t)size);
    return page;
}

#endif
