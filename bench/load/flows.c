/* Many downloads at once, each read as it comes: flows PORT PATH FLOWS STARTS_PER_SECOND SETTLE WINDOW [GAP [CLIENTS]]
 * The window begins SETTLE seconds after the last has started, and not before all have a byte, or 10 s more have passed. Prints
 * what each got in the window, in bytes a second, and when its first byte of body came after the request was sent; then goes on
 * reading until it is ended. GAP: a silence of so many seconds parts two bursts, and a rate is counted from the begin of the first
 * burst of the window to that of the last, so that the edges of the window cut none. With CLIENTS the connections come from so many
 * addresses, the first half of which has most of them; fairness, the least over the most, is that of clients then. A WINDOW of 0:
 * to the end of all downloads, a line for each. */
#include "net.h"

struct flow {
    int fd, bursts;
    int in_body; /* bytes of the blank line seen, 4: body */
    unsigned client;
    double sent, first, last, first_burst, last_burst;
    long bytes, at_begin, at_end, at_first_burst, at_last_burst;
};

static int errors, open_flows, to_the_end, answered, measuring;
static double begin, gap;

static void start(struct flow *f, int poll, int port, const char *request) {
    f->sent = now();
    f->fd = dial(port, f->client);
    if (f->fd < 0 || !tell(f->fd, request)) {
        errors++;
        return;
    }
    open_flows++;
    watch(poll, f->fd, f);
}

static void burst(struct flow *f, double at) {
    if (f->bursts++ == 0) {
        f->first_burst = at;
        f->at_first_burst = f->bytes;
    }
    f->last_burst = at;
    f->at_last_burst = f->bytes;
}

static void body(struct flow *f, const char *data, ssize_t count) {
    double at = now();
    ssize_t i = 0;
    if (measuring && gap > 0 && at - f->last >= gap)
        burst(f, at);
    f->last = at;
    while (f->in_body < 4 && i < count) {
        f->in_body = data[i] == "\r\n\r\n"[f->in_body] ? f->in_body + 1 : data[i] == '\r';
        i++;
    }
    if (i < count) {
        if (f->bytes == 0) {
            f->first = at - f->sent;
            answered++;
        }
        f->bytes += count - i;
    }
}

static void take(struct flow *f) {
    static char data[1 << 18];
    ssize_t count = read(f->fd, data, sizeof data);
    if (count > 0) {
        body(f, data, count);
    } else if (count == 0 || errno != EAGAIN) {
        errors += count < 0 || f->bytes == 0 || !to_the_end;
        if (to_the_end)
            printf("download start=%.3f first=%.4f end=%.3f bytes=%ld\n", f->sent - begin, f->first, now() - f->sent, f->bytes);
        close(f->fd);
        f->fd = -1;
        open_flows--;
    }
}

static double rate(const struct flow *f, double window) {
    if (f->bursts > 2)
        return (f->at_last_burst - f->at_first_burst) / (f->last_burst - f->first_burst);
    return (f->at_end - f->at_begin) / window;
}

/* least / most of what the clients got */
static double fairness(const struct flow *flows, int count, unsigned clients) {
    double *got = calloc(clients, sizeof *got), share;
    for (int i = 0; i < count; i++)
        got[flows[i].client - 1] += flows[i].at_end - flows[i].at_begin;
    qsort(got, clients, sizeof *got, compare);
    share = got[clients - 1] > 0 ? got[0] / got[clients - 1] : 0;
    free(got);
    return share;
}

static void print(const struct flow *flows, int count, double window, unsigned clients) {
    double *rates = calloc(count, sizeof *rates), *first = calloc(count, sizeof *first), total = 0, fair;
    int late = 0;
    for (int i = 0; i < count; i++) {
        rates[i] = rate(&flows[i], window);
        first[i] = flows[i].first * 1000;
        late += flows[i].bytes == 0;
        total += (flows[i].at_end - flows[i].at_begin) / window;
    }
    qsort(rates, count, sizeof *rates, compare);
    qsort(first, count, sizeof *first, compare);
    if (clients)
        fair = fairness(flows, count, clients);
    else
        fair = rates[count - 1] > 0 ? rates[0] / rates[count - 1] : 0;
    printf("flows=%d errors=%d unanswered=%d least=%.1f median=%.1f most=%.1f total=%.1f first50=%.2f first99=%.2f "
           "firstmost=%.2f fairness=%.4f\n",
           count, errors, late, rates[0], rates[count / 2], rates[count - 1], total, first[count / 2],
           first[(int)(count * 0.99)], first[count - 1], fair);
    fflush(stdout);
    free(rates);
    free(first);
}

static double open_window(struct flow *flows, int count) {
    for (int i = 0; i < count; i++)
        flows[i].at_begin = flows[i].bytes;
    measuring = 1;
    printf("window\n");
    fflush(stdout);
    return now();
}

static void close_window(struct flow *flows, int count, double window, unsigned clients) {
    for (int i = 0; i < count; i++)
        flows[i].at_end = flows[i].bytes;
    measuring = 0;
    print(flows, count, window, clients);
}

int main(int argc, char **argv) {
    if (argc < 7 || argc > 9)
        return fprintf(stderr, "flows PORT PATH FLOWS STARTS_PER_SECOND SETTLE WINDOW [GAP [CLIENTS]]\n"), 2;
    int port = atoi(argv[1]), count = atoi(argv[3]), started = 0, poll = epoll_create1(0), printed = 0;
    double pace = atof(argv[4]), settle = atof(argv[5]), window = atof(argv[6]), opened = 0;
    unsigned clients = argc > 8 ? atoi(argv[8]) : 0;
    char request[512];
    struct flow *flows = calloc(count, sizeof *flows);
    gap = argc > 7 ? atof(argv[7]) : 0;
    raise_limit();
    to_the_end = window == 0;
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n", argv[2], port,
             to_the_end ? "Connection: close\r\n" : "");
    for (int i = 0; clients && i < count; i++)
        flows[i].client = 1 + (unsigned)i % ((unsigned)i < clients ? clients : (clients + 1) / 2);
    begin = now();
    double all = begin + count / pace + settle;
    while (!to_the_end || started < count || open_flows > 0) {
        for (; started < count && started < (now() - begin) * pace; started++)
            start(&flows[started], poll, port, request);
        double at = now();
        if (opened == 0 && !to_the_end && at >= all && (answered == count || at >= all + 10)) {
            opened = open_window(flows, count);
        } else if (opened > 0 && !printed && at - opened >= window) {
            close_window(flows, count, at - opened, clients);
            printed = 1;
        }
        struct epoll_event events[512];
        int ready = epoll_wait(poll, events, 512, 1);
        for (int i = 0; i < ready; i++)
            take(events[i].data.ptr);
    }
    printf("ended=%d errors=%d seconds=%.2f\n", count, errors, now() - begin);
    return 0;
}
