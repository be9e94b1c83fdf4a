package org.lrwp.osp.routing;

import java.io.IOException;
import java.util.List;

/** Where the tables are kept. */
public interface TableSource {
    /** Takes one row. */
    @FunctionalInterface
    interface RowTaker {
        /**
         * Takes a row.
         *
         * @param place the line in its file, or the number of the row, from 1
         * @param values the values in the order of the table's columns; empty where nothing stands
         * @throws IOException when it cannot be passed on
         */
        void take(long place, List<String> values) throws IOException;
    }

    /**
     * Reads a table; blocks.
     *
     * @param table which
     * @param taker takes the rows in their order
     * @return false when there is no such table
     * @throws IOException when it cannot be read; the message names it
     */
    boolean read(TableName table, RowTaker taker) throws IOException;

    /**
     * Names a place for a fault.
     *
     * @param table the table
     * @param place as given to the taker
     * @return for example {@code devices.csv:12}
     */
    String place(TableName table, long place);

    /**
     * Tells the state of the tables, to be compared with an earlier one.
     *
     * @return equal to the last one as long as nothing has changed
     */
    Object state();
}
