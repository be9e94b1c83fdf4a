/* The work of all back ends of the benchmarks, so that only the way to them differs: look at the method, take a body of
 * 1,500 octets when it is a POST, answer 1,024 octets of XML. Any other body is a fault of what brought it: status 500. */
#ifndef WORK_H
#define WORK_H
#include <stddef.h>
#include <string.h>

enum { WORK_BODY = 1500, WORK_ANSWER = 1024 };

static char work_answer[WORK_ANSWER];

static void work_prepare(void)
{
    static const char begin[] = "<?xml version=\"1.0\"?>\n<answer>", end[] = "</answer>\n";

    memset(work_answer, 'a', WORK_ANSWER);
    memcpy(work_answer, begin, sizeof begin - 1);
    memcpy(work_answer + WORK_ANSWER - (sizeof end - 1), end, sizeof end - 1);
}

/* Whether the request is one that the benchmarks send. */
static int work_accepts(const char *method, size_t method_length, size_t body_length)
{
    if (method_length == 4 && memcmp(method, "POST", 4) == 0)
        return body_length == WORK_BODY;
    return method_length == 3 && memcmp(method, "GET", 3) == 0 && body_length == 0;
}

#endif
