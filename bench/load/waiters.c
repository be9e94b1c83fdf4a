/* Clients that wait for events, one connection each.
 *   waiters polls PORT PATH PUBLISH USERS POLLS TICK    each user polls so often; an event every TICK seconds
 *   waiters spread PORT PATH PUBLISH WAITERS KIND ROUNDS PAUSE    from a publish to the last of them, again and again
 * PUBLISH is where events are posted, - when the server makes them itself. KIND: poll or stream (text/event-stream).
 * An event is @NUMBER@ wherever it stands in what comes. Polls carry since=ID of the last event where its "id" was told. A round
 * in which not everybody was told counts as 5 s. */
#include "net.h"

enum { MOST_ANSWER = 8192, MOST_ID = 48, MOST_SECONDS = 5 };

struct waiter {
    int fd, length, polls, done;
    long event, digits;
    int in_event; /* inside @...@ of a stream */
    double asked;
    char id[MOST_ID];
    char *answer; /* of a poll, as far as it has come */
};

static int port, poll_fd, streams, stop_after;
static const char *path, *publish_path;
static struct waiter *waiters;
static int count, errors, empty, repeats, skipped, waiting, told;
static long answers, published;
static double *latencies, last_told;

static void fail(struct waiter *w, const char *why) {
    if (errors++ < 5)
        fprintf(stderr, "waiter %d: %s: %.200s\n", (int)(w - waiters), why, w->answer);
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    w->done = 1;
}

static void ask(struct waiter *w) {
    char request[512];
    int since = w->id[0];
    snprintf(request, sizeof request, "GET %s%s%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n", path, since ? "?since=" : "",
             since ? w->id : "", port, streams ? "Accept: text/event-stream\r\n" : "Accept: application/json\r\n");
    w->length = 0;
    w->asked = now();
    if (!tell(w->fd, request))
        fail(w, "not sent");
    waiting++;
}

static void happened(struct waiter *w, long event) {
    if (event == w->event)
        repeats++;
    else if (w->event && event > w->event + 1)
        skipped += event - w->event - 1;
    w->event = event;
    if (event == published) {
        told++;
        last_told = now();
    }
}

/* The last event of an answer, and its id. */
static void read_answer(struct waiter *w, const char *body) {
    const char *at = body, *id = NULL;
    int seen = 0;
    while ((at = strchr(at, '@')) != NULL) {
        char *end;
        long event = strtol(at + 1, &end, 10);
        at = *end == '@' ? end + 1 : at + 1;
        if (end[0] == '@') {
            happened(w, event);
            seen++;
        }
    }
    for (at = body; (at = strstr(at, "\"id\":")) != NULL; at += 5)
        id = at + 5;
    if (id != NULL) {
        id += strspn(id, " \"");
        size_t size = strcspn(id, "\",}");
        if (size < MOST_ID) {
            memcpy(w->id, id, size);
            w->id[size] = 0;
        }
    }
    empty += seen == 0;
}

/* Whether a whole answer is there: its body is ended by its length, by its last chunk, or there is none. */
static char *whole(struct waiter *w) {
    char *body = strstr(w->answer, "\r\n\r\n"), *length;
    if (body == NULL)
        return NULL;
    body += 4;
    if (strncmp(w->answer + 9, "204", 3) == 0)
        return body;
    length = strcasestr(w->answer, "\r\ncontent-length:");
    if (length != NULL && length < body)
        return w->length - (body - w->answer) >= atol(length + 17) ? body : NULL;
    return w->length >= 5 && memcmp(w->answer + w->length - 5, "0\r\n\r\n", 5) == 0 ? body : NULL;
}

static void polled(struct waiter *w, const char *body) {
    if (strncmp(w->answer, "HTTP/1.1 20", 11) != 0)
        return fail(w, "refused");
    waiting--;
    latencies[answers++] = now() - w->asked;
    read_answer(w, body);
    if (stop_after && ++w->polls == stop_after)
        w->done = 1;
    else
        ask(w);
}

static void streamed(struct waiter *w, const char *data, int size) {
    for (int i = 0; i < size; i++) {
        if (data[i] == '@') {
            if (w->in_event)
                happened(w, w->digits);
            w->in_event = !w->in_event;
            w->digits = 0;
        } else if (w->in_event && data[i] >= '0' && data[i] <= '9') {
            w->digits = w->digits * 10 + data[i] - '0';
        } else {
            w->in_event = 0;
        }
    }
}

static void take(struct waiter *w) {
    static char data[1 << 16];
    int size = read(w->fd, data, streams ? (int)sizeof data : MOST_ANSWER - 1 - w->length);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0) {
        if (!w->done)
            fail(w, "ended");
        else
            close(w->fd);
        return;
    }
    if (streams)
        return streamed(w, data, size);
    memcpy(w->answer + w->length, data, size);
    w->length += size;
    w->answer[w->length] = 0;
    char *body = whole(w);
    if (body != NULL)
        polled(w, body);
    else if (w->length == MOST_ANSWER - 1)
        fail(w, "long answer");
}

static void publish(void) {
    if (publish_path[0] == '-')
        return;
    told = 0;
    if (!post_event(port, publish_path, ++published)) {
        fprintf(stderr, "cannot publish\n");
        exit(1);
    }
}

static void turn(int millis) {
    struct epoll_event events[512];
    int ready = epoll_wait(poll_fd, events, 512, millis);
    for (int i = 0; i < ready; i++)
        take(events[i].data.ptr);
}

static void turn_until(double end) {
    while (now() < end)
        turn(1);
}

static void connect_all(double pace) {
    double begin = now();
    for (int i = 0; i < count; i++) {
        struct waiter *w = &waiters[i];
        w->answer = calloc(1, streams ? 1 : MOST_ANSWER);
        w->fd = dial(port, 0);
        if (w->fd < 0) {
            fail(w, "not connected");
            continue;
        }
        watch(poll_fd, w->fd, w);
        ask(w);
        while (now() - begin < i / pace)
            turn(0);
    }
}

static void summary(const char *name, double seconds) {
    double sum = 0;
    for (long i = 0; i < answers; i++)
        sum += latencies[i];
    qsort(latencies, answers, sizeof *latencies, compare);
    printf("%s answers=%ld seconds=%.3f mean=%.1f least=%.1f most=%.1f errors=%d empty=%d repeats=%d skipped=%d\n", name, answers,
           seconds, answers ? 1000 * sum / answers : 0, answers ? 1000 * latencies[0] : 0,
           answers ? 1000 * latencies[answers - 1] : 0, errors, empty, repeats, skipped);
    fflush(stdout);
}

static int all_done(void) {
    for (int i = 0; i < count; i++)
        if (!waiters[i].done)
            return 0;
    return 1;
}

static void polls(double tick) {
    connect_all(4000);
    double begin = now(), next = begin + tick;
    printf("waiting\n");
    fflush(stdout);
    while (!all_done()) {
        turn(1);
        if (now() >= next) {
            publish();
            next += tick;
        }
    }
    summary("polls", now() - begin);
}

static void spread(int rounds, double pause) {
    double *times = calloc(rounds, sizeof *times);
    connect_all(3000);
    turn_until(now() + 2 * pause);
    printf("waiting=%d errors=%d\n", count, errors);
    fflush(stdout);
    for (int i = 0; i < rounds; i++) {
        double begin = now();
        publish();
        while (told < count - errors && now() - begin < MOST_SECONDS)
            turn(1);
        times[i] = told < count - errors ? MOST_SECONDS : last_told - begin;
        printf("round told=%d milliseconds=%.1f\n", told, 1000 * times[i]);
        fflush(stdout);
        turn_until(now() + pause);
    }
    /* The first two thirds warm up. */
    int from = rounds * 2 / 3;
    qsort(times + from, rounds - from, sizeof *times, compare);
    printf("spread waiters=%d rounds=%d median=%.1f least=%.1f most=%.1f errors=%d repeats=%d skipped=%d\n", count, rounds - from,
           1000 * times[from + (rounds - from) / 2], 1000 * times[from], 1000 * times[rounds - 1], errors, repeats, skipped);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc < 8)
        return fprintf(stderr, "waiters polls PORT PATH PUBLISH USERS POLLS TICK\n"
                               "waiters spread PORT PATH PUBLISH WAITERS poll|stream ROUNDS PAUSE\n"),
               2;
    int spreads = strcmp(argv[1], "spread") == 0;
    port = atoi(argv[2]);
    path = argv[3];
    publish_path = argv[4];
    count = atoi(argv[5]);
    streams = spreads && strcmp(argv[6], "stream") == 0;
    stop_after = spreads ? 0 : atoi(argv[6]);
    int rounds = atoi(argv[7]);
    raise_limit();
    poll_fd = epoll_create1(0);
    waiters = calloc(count, sizeof *waiters);
    latencies = calloc((size_t)count * (spreads ? rounds + 2 : stop_after) + 1, sizeof *latencies);
    if (spreads) {
        spread(rounds, atof(argv[8]));
        for (;;)
            turn(100);
    }
    polls(atof(argv[7]));
    return 0;
}
