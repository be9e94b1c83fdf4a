/* Varied requests as fast as the answers come, over connections that stay: the loads of requests.h.
 *
 * traffic --port P --load varied|mixed|mixed-files [--host A] [--connections N] [--seconds S] [--seed N] [--prefix PATH] [--threads N]
 *         [--pool N] [--grace S] [--file PATH --content FILE] [--print N]
 *
 * prefix: of the back end's context; file: where the server has a static file, whose content is in FILE here; pool: how many
 * requests are made; grace: how long answers may take when the time is over; print: shows so many requests, and sends none.
 *
 * Each answer is checked: status 200, whole, and for this very request, whose id and length of body the back ends repeat. Prints
 * up to three answers that were not, then one line: requests=N errors=N rate=R p50=us p90=us p99=us p999=us max=us, and the errors by their
 * kind: refused (another status), broken (no answer of HTTP), wrong (of another request), ended (the connection did), missing
 * (none came). reconnects: connections that the server closed after an answer. */
#include "net.h"

#include "answers.h"
#include "histogram.h"
#include "requests.h"

#include <getopt.h>
#include <pthread.h>
#include <signal.h>

enum { INPUT = 65536, EVENTS = 256, SHOWN = 3, WORK_ANSWER = 1024 };
enum fault { NONE, REFUSED, BROKEN, WRONG, ENDED, MISSING, FAULTS };

static const char *const fault_names[] = {"", "refused", "broken", "wrong", "ended", "missing"};

struct client {
    int fd;
    struct request *request; /* on its way, NULL when there is none */
    uint64_t id;
    size_t sent, length;
    double begin;
    char in[INPUT + 1];
};

struct worker {
    pthread_t thread;
    int number, poll, clients, pool, next, under_way, reconnects;
    struct request *requests;
    struct client **all;
    uint64_t ids;
    struct histogram latencies;
    long faults[FAULTS];
    double last;
};

static struct in_addr host;
static int port = 0, shown;
static double end_at, grace = 10;
static char *content;
static size_t content_length;
static uint64_t first_id;
static pthread_barrier_t all_ready;
static pthread_mutex_t showing = PTHREAD_MUTEX_INITIALIZER;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* An odd factor: a new id for each number, that looks like chance. */
static uint64_t new_id(struct worker *w) {
    return (first_id + ((uint64_t)w->number << 48) + w->ids++) * 0x9E3779B97F4A7C15u;
}

static void connect_client(struct worker *w, struct client *c) {
    c->fd = dial_address(host, port, 0);
    if (c->fd < 0)
        fail("connect");
    c->length = 0;
    watch(w->poll, c->fd, c);
}

static void await(struct worker *w, struct client *c, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = c};
    epoll_ctl(w->poll, EPOLL_CTL_MOD, c->fd, &event);
}

static void show(const struct client *c, enum fault fault) {
    pthread_mutex_lock(&showing);
    if (shown++ < SHOWN)
        printf("%s: %.*s\nanswer: %.*s\n", fault_names[fault], (int)strcspn(c->request->text, "\r"), c->request->text,
               (int)(c->length < 300 ? c->length : 300), c->in);
    pthread_mutex_unlock(&showing);
}

static void finish(struct worker *w, struct client *c, enum fault fault) {
    w->last = now();
    histogram_count(&w->latencies, (uint64_t)((w->last - c->begin) * 1e6));
    w->faults[fault]++;
    if (fault != NONE)
        show(c, fault);
    c->request->busy = 0;
    c->request = NULL;
    w->under_way--;
}

static struct request *take_request(struct worker *w) {
    struct request *request;
    do {
        request = &w->requests[w->next];
        w->next = w->next + 1 < w->pool ? w->next + 1 : 0;
    } while (request->busy);
    return request;
}

/* Sends what is left of the request; what becomes of a connection that is broken is seen when it is read. */
static void send_rest(struct worker *w, struct client *c) {
    ssize_t put = send(c->fd, c->request->text + c->sent, c->request->length - c->sent, MSG_NOSIGNAL);
    int waited = c->sent > 0;
    c->sent += put > 0 ? (size_t)put : 0;
    if (c->sent < c->request->length && (put >= 0 || errno == EAGAIN))
        await(w, c, EPOLLIN | EPOLLOUT);
    else if (waited)
        await(w, c, EPOLLIN);
}

static void start(struct worker *w, struct client *c) {
    if (now() >= end_at)
        return;
    c->request = take_request(w);
    c->request->busy = 1;
    c->id = new_id(w);
    name_request(c->request, c->id);
    c->sent = 0;
    w->under_way++;
    c->begin = now();
    send_rest(w, c);
}

/* Whether it is the answer to the request that is on its way. */
static enum fault judge(const struct client *c, const struct answer *a) {
    char begin[80];
    int size;
    if (a->status != 200)
        return REFUSED;
    if (c->request->of_file)
        return a->body_length == content_length && memcmp(a->body, content, content_length) == 0 ? NONE : WRONG;
    size = snprintf(begin, sizeof begin, "<?xml version=\"1.0\"?>\n<answer id=\"%016llx\" length=\"%04u\">", (unsigned long long)c->id,
                    c->request->body_length);
    return a->body_length == WORK_ANSWER && memcmp(a->body, begin, (size_t)size) == 0 ? NONE : WRONG;
}

static void renew(struct worker *w, struct client *c) {
    close(c->fd);
    connect_client(w, c);
}

static void receive(struct worker *w, struct client *c) {
    struct answer answer;
    enum progress progress;
    enum fault fault;
    int stays;
    ssize_t got = recv(c->fd, c->in + c->length, INPUT - c->length, 0);
    if (got < 0 && errno == EAGAIN)
        return;
    c->length += got > 0 ? (size_t)got : 0;
    c->in[c->length] = '\0';
    progress = got > 0 ? answer_read(c->in, c->length, &answer) : ANSWER_BROKEN;
    if (progress == ANSWER_MORE && c->length < INPUT)
        return;
    if (c->request == NULL) { /* closed while it rested, or an answer that nobody asked for */
        w->faults[WRONG] += got > 0;
        w->reconnects += got <= 0;
        return renew(w, c);
    }
    if (progress == ANSWER_WHOLE && answer.used == c->length)
        fault = judge(c, &answer);
    else
        fault = got <= 0 ? ENDED : progress == ANSWER_WHOLE ? WRONG : BROKEN;
    /* What is left of a request that was answered early must not be taken for the next one. */
    stays = (fault == NONE || (fault == REFUSED && c->sent == c->request->length)) && !answer.closes;
    w->reconnects += (fault == NONE || fault == REFUSED) && !stays;
    finish(w, c, fault);
    c->length = 0;
    if (!stays)
        renew(w, c);
    start(w, c);
}

static void give_up(struct worker *w) {
    for (int i = 0; i < w->clients; i++)
        if (w->all[i]->request != NULL)
            finish(w, w->all[i], MISSING);
}

static void *work(void *whose) {
    struct worker *w = whose;
    struct epoll_event events[EVENTS];
    pthread_barrier_wait(&all_ready); /* all connections are there */
    pthread_barrier_wait(&all_ready); /* the time runs */
    for (int i = 0; i < w->clients; i++)
        start(w, w->all[i]);
    while (now() < end_at || (w->under_way > 0 && now() < end_at + grace)) {
        int count = epoll_wait(w->poll, events, EVENTS, 20);
        for (int i = 0; i < count; i++) {
            struct client *c = events[i].data.ptr;
            if (events[i].events & EPOLLOUT && c->request != NULL)
                send_rest(w, c);
            if (events[i].events & ~(uint32_t)EPOLLOUT)
                receive(w, c);
        }
    }
    give_up(w);
    return NULL;
}

static void prepare(struct worker *w, struct maker *maker, int pool, int clients) {
    w->pool = pool;
    w->clients = clients;
    w->requests = calloc((size_t)pool, sizeof *w->requests);
    for (int i = 0; i < pool; i++)
        make_request(maker, &w->requests[i]);
}

static void connect_all(struct worker *w) {
    w->poll = epoll_create1(0);
    w->all = calloc((size_t)w->clients + 1, sizeof *w->all);
    for (int i = 0; i < w->clients; i++) {
        w->all[i] = calloc(1, sizeof **w->all);
        connect_client(w, w->all[i]);
    }
}

static void report(struct worker *workers, int threads, double begin) {
    struct histogram *all = calloc(1, sizeof *all);
    long faults[FAULTS] = {0}, errors = 0, reconnects = 0;
    double last = begin;
    for (int i = 0; i < threads; i++) {
        histogram_add(all, &workers[i].latencies);
        last = workers[i].last > last ? workers[i].last : last;
        reconnects += workers[i].reconnects;
        for (int fault = REFUSED; fault < FAULTS; fault++) {
            faults[fault] += workers[i].faults[fault];
            errors += workers[i].faults[fault];
        }
    }
    printf("requests=%llu errors=%ld rate=%.1f", (unsigned long long)all->total, errors,
           last > begin ? (double)all->total / (last - begin) : 0);
    printf(" p50=%llu p90=%llu p99=%llu p999=%llu max=%llu", (unsigned long long)histogram_percentile(all, 0.5),
           (unsigned long long)histogram_percentile(all, 0.9), (unsigned long long)histogram_percentile(all, 0.99),
           (unsigned long long)histogram_percentile(all, 0.999), (unsigned long long)all->most);
    for (int fault = REFUSED; fault < FAULTS; fault++)
        printf(" %s=%ld", fault_names[fault], faults[fault]);
    printf(" reconnects=%ld\n", reconnects);
}

static void read_content(const char *file) {
    FILE *in = fopen(file, "rb");
    content = malloc(INPUT);
    if (in == NULL)
        fail(file);
    content_length = fread(content, 1, INPUT, in);
    fclose(in);
}

static const struct kind *kind_of(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    fprintf(stderr, "traffic: there is no load %s\n", name);
    exit(2);
}

struct options {
    const char *host;
    int connections, threads, pool, print;
    double seconds;
    struct maker maker;
};

static void read_options(struct options *o, int argc, char **argv) {
    static const struct option names[] = {
        {"host", 1, 0, 'h'},   {"port", 1, 0, 'p'},    {"connections", 1, 0, 'c'}, {"seconds", 1, 0, 's'}, {"load", 1, 0, 'l'},
        {"seed", 1, 0, 'r'},   {"prefix", 1, 0, 'x'},  {"threads", 1, 0, 't'},     {"pool", 1, 0, 'n'},    {"file", 1, 0, 'f'},
        {"content", 1, 0, 'F'}, {"print", 1, 0, 'P'},   {"grace", 1, 0, 'g'},   {0, 0, 0, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (option) {
        case 'h': o->host = optarg; break;
        case 'p': port = atoi(optarg); break;
        case 'c': o->connections = atoi(optarg); break;
        case 's': o->seconds = atof(optarg); break;
        case 'l': o->maker.kind = kind_of(optarg); break;
        case 'r': o->maker.state = strtoull(optarg, NULL, 10); break;
        case 'x': o->maker.prefix = optarg; break;
        case 't': o->threads = atoi(optarg); break;
        case 'n': o->pool = atoi(optarg); break;
        case 'f': o->maker.file = optarg; break;
        case 'F': read_content(optarg); break;
        case 'P': o->print = atoi(optarg); break;
        case 'g': grace = atof(optarg); break;
        default: exit(2);
        }
    }
    if (port == 0 || o->maker.kind == NULL || o->threads < 1 || o->connections < o->threads || inet_aton(o->host, &host) == 0
        || o->pool / o->threads < 2 * (o->connections / o->threads + 1) || (o->maker.kind->files && content == NULL)) {
        fprintf(stderr, "traffic: wants --port, --load, at least a connection for each thread, a pool of twice as many requests,\n"
                        "and for mixed-files --file and --content\n");
        exit(2);
    }
}

/* Shows requests as they are sent. */
static void print_requests(struct maker *maker, int count) {
    struct request request;
    for (int i = 0; i < count; i++) {
        make_request(maker, &request);
        name_request(&request, (uint64_t)i * 0x9E3779B97F4A7C15u);
        printf("%u\n", request.length);
        fwrite(request.text, 1, request.length, stdout);
    }
}

int main(int argc, char **argv) {
    static struct options o = {"127.0.0.1", 100, 1, 20000, 0, 10, {.state = 1, .prefix = "/bench", .file = "/index.html"}};
    struct worker *workers;
    struct timespec time;
    double begin;
    char authority[100];
    read_options(&o, argc, argv);
    snprintf(authority, sizeof authority, "%s:%d", o.host, port);
    o.maker.host = authority;
    if (o.print > 0)
        return print_requests(&o.maker, o.print), 0;
    raise_limit();
    signal(SIGPIPE, SIG_IGN);
    clock_gettime(CLOCK_REALTIME, &time);
    first_id = ((uint64_t)time.tv_sec << 20) + ((uint64_t)time.tv_nsec >> 10);
    workers = calloc((size_t)o.threads, sizeof *workers);
    pthread_barrier_init(&all_ready, NULL, (unsigned)o.threads + 1);
    for (int i = 0; i < o.threads; i++) {
        struct worker *w = &workers[i];
        w->number = i;
        prepare(w, &o.maker, o.pool / o.threads, o.connections / o.threads + (i < o.connections % o.threads));
        connect_all(w);
        pthread_create(&w->thread, NULL, work, w);
    }
    pthread_barrier_wait(&all_ready);
    begin = now();
    end_at = begin + o.seconds;
    pthread_barrier_wait(&all_ready);
    for (int i = 0; i < o.threads; i++)
        pthread_join(workers[i].thread, NULL);
    report(workers, o.threads, begin);
    return 0;
}
