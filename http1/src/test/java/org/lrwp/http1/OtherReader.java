package org.lrwp.http1;

import java.util.List;

/** A reader of HTTP/1.1 that is not of this project. */
interface OtherReader {
    /** Whose it is. */
    String name();

    /**
     * Reads all requests of one connection.
     *
     * @param bytes of the connection from its begin
     * @return what it makes of them
     */
    Reading read(byte[] bytes);

    /**
     * What it makes of a connection.
     *
     * @param messages requests whose head it has accepted; the last one may lack a part of its body
     * @param whole how many of them it has to their end
     * @param refused whether it has refused what follows them
     */
    record Reading(List<Message> messages, int whole, boolean refused) {
        public Reading {
            messages = List.copyOf(messages);
        }
    }
}
