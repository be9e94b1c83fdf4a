/* Clients that come and go: wanderers PORT PATH PUBLISH CLIENTS DELIVERIES RATE
 * Each polls or reads a stream, as chance has it, cuts its connection in the middle, stays away for a while and goes on from the
 * last id it has. Events @1@, @2@ ... are posted at RATE a second until so many have been delivered; then everybody catches up,
 * and "behind" counts what has not come 20 s later.
 * Counts what came twice, what came out of order, what is missing, and what is missing but was said to be gone. */
#include "net.h"

enum { MOST_LINE = 4096, MOST_ID = 48, CATCH_UP = 20 };
enum part { HEAD, SIZE, DATA, DATA_END, TRAILER, LENGTH, OVER };

struct client {
    int fd, streams, told_gap, line_size, frame_size;
    enum part part;
    long left, last;
    double until; /* away: when it comes back; there: when it leaves */
    char id[MOST_ID], coming[MOST_ID], line[MOST_LINE], frame[MOST_ID];
    int chunked, gap_coming;
    long event_coming;
};

static int port, poll_fd, count, settling;
static const char *path, *publish_path;
static struct client *clients;
static long published, deliveries, doubled, disordered, lost, noticed, gaps, cuts, answers, refused;

static double chance(double most) { return most * (rand() / (RAND_MAX + 1.0)); }

static void leave(struct client *c, double away) {
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    c->until = now() + away;
}

static void ask(struct client *c) {
    char request[256];
    snprintf(request, sizeof request, "GET %s?since=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: %s\r\n\r\n", path,
             c->id[0] ? c->id : "oldest", port, c->streams ? "text/event-stream" : "application/json");
    c->part = HEAD;
    c->line_size = c->frame_size = c->chunked = c->gap_coming = 0;
    c->event_coming = 0;
    c->coming[0] = 0;
    c->until = now() + (settling ? 100 : chance(2));
    if (!tell(c->fd, request))
        leave(c, 0.1);
}

static void come(struct client *c) {
    c->streams = rand() % 2;
    c->fd = dial(port, 0);
    if (c->fd < 0) {
        leave(c, 0.1);
        return;
    }
    watch(poll_fd, c->fd, c);
    ask(c);
}

static void happened(struct client *c, long event) {
    deliveries++;
    if (c->last && event == c->last)
        doubled++;
    else if (event < c->last)
        disordered++;
    else if (c->last && event > c->last + 1)
        *(c->told_gap ? &noticed : &lost) += event - c->last - 1;
    c->told_gap = 0;
    if (event > c->last)
        c->last = event;
}

static void dispatch(struct client *c) {
    if (c->gap_coming) {
        c->told_gap = 1;
        gaps++;
    } else if (c->event_coming) {
        happened(c, c->event_coming);
    }
    if (c->coming[0])
        memcpy(c->id, c->coming, MOST_ID);
    c->gap_coming = 0;
    c->event_coming = 0;
    c->coming[0] = 0;
}

static void copy_id(struct client *c, const char *from) {
    size_t size = strspn(from, "0123456789.");
    if (size > 0 && size < MOST_ID) {
        memcpy(c->coming, from, size);
        c->coming[size] = 0;
    }
}

/* A line of a stream is a field; a line of a poll is one event, as the array is written. */
static void line(struct client *c) {
    const char *text = c->line, *at;
    c->line[c->line_size] = 0;
    if (c->streams) {
        if (c->line_size == 0)
            dispatch(c);
        else if (strncmp(text, "id: ", 4) == 0)
            copy_id(c, text + 4);
        else if (strncmp(text, "event: gap", 10) == 0)
            c->gap_coming = 1;
        else if (strncmp(text, "data: @", 7) == 0)
            c->event_coming = atol(text + 7);
    } else if ((at = strstr(text, "\"id\":\"")) != NULL) {
        copy_id(c, at + 6);
        c->gap_coming = strstr(text, "\"gap\":") != NULL;
        at = strstr(text, "\"data\":\"@");
        c->event_coming = at == NULL ? 0 : atol(at + 9);
        dispatch(c);
    }
    c->line_size = 0;
}

static void head_line(struct client *c) {
    c->line[c->line_size] = 0;
    if (strncmp(c->line, "HTTP/1.1 ", 9) == 0) {
        if (strncmp(c->line + 9, "20", 2) != 0)
            refused++;
        c->left = 0;
    } else if (strncasecmp(c->line, "content-length:", 15) == 0) {
        c->left = atol(c->line + 15);
    } else if (strncasecmp(c->line, "transfer-encoding:", 18) == 0) {
        c->chunked = 1;
    } else if (c->line_size == 0) {
        c->part = c->chunked ? SIZE : c->left > 0 ? LENGTH : OVER;
    }
    c->line_size = 0;
}

/* The lines between chunks. */
static void framing(struct client *c, char one) {
    if (one != '\n') {
        if (one != '\r' && c->frame_size < MOST_ID - 1)
            c->frame[c->frame_size++] = one;
        return;
    }
    c->frame[c->frame_size] = 0;
    if (c->part == SIZE) {
        c->left = strtol(c->frame, NULL, 16);
        c->part = c->left > 0 ? DATA : TRAILER;
    } else if (c->part == DATA_END) {
        c->part = SIZE;
    } else if (c->frame_size == 0) {
        c->part = OVER;
    }
    c->frame_size = 0;
}

static void value(struct client *c, char one) {
    if (c->part == SIZE || c->part == DATA_END || c->part == TRAILER) {
        framing(c, one);
        return;
    }
    int head = c->part == HEAD;
    if (!head && --c->left == 0)
        c->part = c->chunked ? DATA_END : OVER;
    if (one == '\n' && head)
        head_line(c);
    else if (one == '\n')
        line(c);
    else if (one != '\r' && c->line_size < MOST_LINE - 1)
        c->line[c->line_size++] = one;
}

/* What an answer that is over leads to. */
static void next(struct client *c) {
    answers++;
    if (settling || chance(1) < 0.5)
        ask(c);
    else
        leave(c, chance(1) < 0.1 ? 3 : chance(0.3));
}

static void take(struct client *c) {
    static char data[1 << 16];
    if (c->fd < 0)
        return;
    int size = read(c->fd, data, sizeof data);
    if (size < 0 && errno == EAGAIN)
        return;
    if (size <= 0) {
        leave(c, 0.05);
        return;
    }
    for (int i = 0; i < size && c->part != OVER; i++)
        value(c, data[i]);
    if (c->part == OVER && c->streams)
        leave(c, 0.05);
    else if (c->part == OVER)
        next(c);
}

static void publish(void) {
    if (!post_event(port, publish_path, ++published))
        exit(1);
}

static void turn(void) {
    struct epoll_event events[256];
    int ready = epoll_wait(poll_fd, events, 256, 1);
    for (int i = 0; i < ready; i++)
        take(events[i].data.ptr);
    double at = now();
    for (int i = 0; i < count; i++) {
        struct client *c = &clients[i];
        if (c->fd < 0 && (settling || at >= c->until)) {
            come(c);
        } else if (c->fd >= 0 && at >= c->until) {
            cuts++;
            leave(c, chance(1) < 0.1 ? 3 : chance(0.3));
        }
    }
}

static long behind(void) {
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += published - clients[i].last;
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 7)
        return fprintf(stderr, "wanderers PORT PATH PUBLISH CLIENTS DELIVERIES RATE\n"), 2;
    port = atoi(argv[1]);
    path = argv[2];
    publish_path = argv[3];
    count = atoi(argv[4]);
    long wanted = atol(argv[5]);
    double rate = atof(argv[6]);
    raise_limit();
    srand(1);
    poll_fd = epoll_create1(0);
    clients = calloc(count, sizeof *clients);
    double begin = now(), end;
    for (int i = 0; i < count; i++) {
        clients[i].fd = -1;
        clients[i].until = begin + chance(1);
    }
    while (deliveries < wanted) {
        turn();
        while (published < (now() - begin) * rate)
            publish();
    }
    settling = 1;
    end = now();
    /* A client that was in the middle of a stay leaves once more and then catches up; what came twice would come within a second. */
    while ((behind() > 0 || now() < end + 1) && now() < end + CATCH_UP)
        turn();
    printf("wanderers clients=%d published=%ld deliveries=%ld seconds=%.1f doubled=%ld disordered=%ld lost=%ld behind=%ld "
           "noticed=%ld gaps=%ld cuts=%ld answers=%ld refused=%ld\n",
           count, published, deliveries, end - begin, doubled, disordered, lost, behind(), noticed,
           gaps, cuts, answers, refused);
    return 0;
}
