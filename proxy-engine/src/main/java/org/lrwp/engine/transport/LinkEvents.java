package org.lrwp.engine.transport;

/** Is told what a link can do. Called on the link's loop; must not block. */
public interface LinkEvents {
    /** The owner of a link that nobody owns: it does nothing. */
    LinkEvents NOBODY =
            new LinkEvents() {
                @Override
                public void readable() {}

                @Override
                public void writable() {}
            };

    /** Bytes or the end of input are there. */
    void readable();

    /** Bytes can be written again after {@link Link#awaitWritable()}. */
    void writable();

    /** The other side has said something that is none of the owner's bytes. */
    default void progress() {}
}
