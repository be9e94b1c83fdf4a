package org.lrwp.cluster;

/**
 * The subjects of one node: {@code lrwp.v1.CLUSTER.hb}, {@code lrwp.v1.CLUSTER.news} and {@code
 * lrwp.v1.CLUSTER.n.NODE.*}. Nothing that a client or a peer has said is ever part of one.
 *
 * @param cluster name of the cluster
 * @param node name of this node
 * @param epoch of this node: what is for an earlier life of it is not heard
 */
record Subjects(String cluster, String node, long epoch) {
    private static final String HEAD = "lrwp.v1.";

    /** Where all nodes tell what they have. */
    String heartbeats() {
        return HEAD + cluster + ".hb";
    }

    /** Where all nodes tell what has happened. */
    String news() {
        return HEAD + cluster + ".news";
    }

    /** Where a node gets requests. */
    String requests(String other) {
        return of(other) + "rq";
    }

    /** Where a node gets what belongs to requests that it has. */
    String control(String other) {
        return of(other) + "ctl";
    }

    /** Where a node is asked for a sign of life: it hears it, and need not answer. */
    String alive(String other) {
        return of(other) + "alive";
    }

    /** Where this node gets answers; the last word names what is answered. */
    String answers(String subject) {
        return of(node) + "an." + Long.toHexString(epoch) + "." + subject;
    }

    private String of(String other) {
        return HEAD + cluster + ".n." + other + ".";
    }

    /** A subject without its last word. */
    static String head(String subject) {
        return subject.substring(0, Math.max(0, subject.lastIndexOf('.')));
    }

    /** The subject that has a last word behind the others. */
    static String join(String head, String word) {
        return head.isEmpty() ? word : head + "." + word;
    }

    /** The last word of a subject. */
    static String last(String subject) {
        return subject.substring(subject.lastIndexOf('.') + 1);
    }
}
