package org.lrwp.osp.cdr;

import org.lrwp.osp.authorisation.Grant;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.routing.Route;
import org.lrwp.osp.usage.UsageRecord;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One row on its way to the database: a table and its values.
 *
 * @param table which table
 * @param values the values in the order of its columns
 */
record CdrEntry(Table table, List<String> values) {
    /** The tables records are kept in; the first column tells rows apart. */
    enum Table {
        /** A row for each usage component. */
        USAGE(
                'u',
                "osp_usage",
                "fingerprint, received, role, transaction_id, call_id, calling, called, source,"
                        + " destination, customer, device, group_id, seconds, started, alerted,"
                        + " connected, ended, post_dial_delay, released, cause, cause_type,"
                        + " protocol, codec, losses"),
        /** A row for each destination of each authorisation. */
        AUTHORISED(
                'a',
                "osp_authorised",
                "id, issued, transaction_id, call_id, device, calling, called, routed_calling,"
                        + " routed_called, destination, address");

        private final char letter;
        private final String sqlName;
        private final String columns;
        private final int width;

        Table(char letter, String sqlName, String columns) {
            this.letter = letter;
            this.sqlName = sqlName;
            this.columns = columns;
            this.width = columns.split(",", -1).length;
        }

        static Table of(int letter) throws IOException {
            for (Table each : values()) {
                if (each.letter == letter) {
                    return each;
                }
            }
            throw new IOException("an entry is of no table that is known");
        }

        /** What it is called in the journal. */
        char letter() {
            return letter;
        }

        String sqlName() {
            return sqlName;
        }

        String columns() {
            return columns;
        }

        int width() {
            return width;
        }
    }

    CdrEntry {
        values = List.copyOf(values);
    }

    static CdrEntry of(UsageRecord usage) {
        UsageRecord.Details details = usage.details();
        return new CdrEntry(
                Table.USAGE,
                List.of(
                        usage.fingerprint(),
                        CdrTimes.text(usage.received()),
                        usage.role(),
                        usage.transaction(),
                        usage.callId(),
                        usage.calling(),
                        usage.called(),
                        usage.source(),
                        usage.destination(),
                        usage.customer(),
                        usage.device(),
                        usage.group(),
                        details.seconds(),
                        details.start(),
                        details.alert(),
                        details.connect(),
                        details.end(),
                        details.delay(),
                        details.released(),
                        details.cause(),
                        details.causeType(),
                        details.protocol(),
                        details.codec(),
                        details.lost()));
    }

    static List<CdrEntry> of(Grant grant) {
        List<CdrEntry> entries = new ArrayList<>();
        for (int i = 0; i < grant.routes().size(); i++) {
            Route route = grant.routes().get(i);
            entries.add(
                    new CdrEntry(
                            Table.AUTHORISED,
                            List.of(
                                    grant.transaction() + "-" + i,
                                    CdrTimes.text(grant.at()),
                                    grant.transaction(),
                                    grant.callId(i),
                                    grant.device(),
                                    grant.call().caller().map(Party::value).orElse(""),
                                    grant.call().called().value(),
                                    route.caller().map(Party::value).orElse(""),
                                    route.called().value(),
                                    route.destination(),
                                    route.address())));
        }
        return entries;
    }

    byte[] write() {
        return EntryBytes.write(table.letter(), values);
    }

    static CdrEntry read(byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            throw new IOException("an entry has no bytes");
        }
        Table table = Table.of(bytes[0]);
        return new CdrEntry(table, EntryBytes.read(bytes, table.width()));
    }
}
