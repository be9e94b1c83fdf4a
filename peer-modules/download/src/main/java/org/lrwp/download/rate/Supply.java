package org.lrwp.download.rate;

/**
 * Fills the bucket of a group in place of time, because others take from the same content whom this
 * process does not see. Called on the rate loop's thread; must not block.
 */
public interface Supply {
    /**
     * Asks for content. {@link RateTree#deposit} brings it when it may be sent, or {@link
     * RateTree#failed} says that it does not come; nothing else is asked for this group until then.
     *
     * @param group whose bucket is short
     * @param bytes a burst of the group's limit; less may come, and more too
     */
    void draw(Group group, long bytes);

    /**
     * Takes back what is not going to be sent.
     *
     * @param bytes what was drawn, or a part of it
     */
    void giveBack(long bytes);
}
