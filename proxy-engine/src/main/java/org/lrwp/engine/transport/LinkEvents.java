package org.lrwp.engine.transport;

/** Is told what a link can do. Called on the link's loop; must not block. */
public interface LinkEvents {
    /** Octets or the end of input are there. */
    void readable();

    /** Octets can be written again after {@link Link#awaitWritable()}. */
    void writable();
}
