/* Latencies in buckets that are 1/128 of their value wide, as HdrHistogram has them: cheap to count in and to add up. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H
#include <stdint.h>

enum { HISTOGRAM_BITS = 7, HISTOGRAM_HALF = 1 << HISTOGRAM_BITS, HISTOGRAM_BUCKETS = HISTOGRAM_HALF * (64 - HISTOGRAM_BITS + 1) };

struct histogram {
    uint64_t counts[HISTOGRAM_BUCKETS], total, most;
};

/* Values below 256 have a bucket each; from there on each power of two has 128. */
static int histogram_bucket(uint64_t value) {
    int shift = value < 2 * HISTOGRAM_HALF ? 0 : 63 - __builtin_clzll(value) - HISTOGRAM_BITS;
    return shift * HISTOGRAM_HALF + (int)(value >> shift);
}

/* The highest value of a bucket. */
static uint64_t histogram_value(int bucket) {
    int shift = bucket < 2 * HISTOGRAM_HALF ? 0 : bucket / HISTOGRAM_HALF - 1;
    return (((uint64_t)(bucket - shift * HISTOGRAM_HALF) + 1) << shift) - 1;
}

static void histogram_count(struct histogram *h, uint64_t value) {
    h->counts[histogram_bucket(value)]++;
    h->total++;
    if (value > h->most)
        h->most = value;
}

static void histogram_add(struct histogram *h, const struct histogram *other) {
    for (int i = 0; i < HISTOGRAM_BUCKETS; i++)
        h->counts[i] += other->counts[i];
    h->total += other->total;
    if (other->most > h->most)
        h->most = other->most;
}

/* The value that a part of all does not exceed. */
static uint64_t histogram_percentile(const struct histogram *h, double part) {
    uint64_t wanted = (uint64_t)(part * (double)h->total + 0.5), seen = 0;
    for (int i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += h->counts[i];
        if (seen >= wanted && seen > 0) {
            uint64_t value = histogram_value(i);
            return value < h->most ? value : h->most;
        }
    }
    return 0;
}
#endif
