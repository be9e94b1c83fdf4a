package org.lrwp.osp.usage;

/** Keeps usage records. Any thread may call it. */
@FunctionalInterface
public interface UsageKeeper {
    /** A record on its way to where it lasts. */
    @FunctionalInterface
    interface Kept {
        /**
         * Waits until the record is where it lasts; blocks.
         *
         * @throws NotKeptException when it did not get there
         */
        void await() throws NotKeptException;

        /**
         * Waits until the record is where it lasts; blocks.
         *
         * @return false when it was there already, as far as the keeper knows
         * @throws NotKeptException when it did not get there
         */
        default boolean awaitNew() throws NotKeptException {
            await();
            return true;
        }
    }

    /**
     * Takes a record; does not wait.
     *
     * @param usage the record
     * @return to be waited for before the record is confirmed
     * @throws NotKeptException when there is no room for it
     */
    Kept keep(UsageRecord usage) throws NotKeptException;
}
