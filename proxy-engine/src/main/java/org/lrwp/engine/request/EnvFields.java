package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.HopByHopFields;
import org.lrwp.protocol.MalformedFrameException;

import java.util.List;
import java.util.Set;

/**
 * The header fields of a request as {@code HTTP_*}. Left out: fields that end at this hop, {@code
 * Proxy} (it would become HTTP_PROXY), names that could be taken for another one once {@code -} is
 * {@code _}, and forwarding fields from whom they are not believed. A trusted proxy's forwarding
 * fields stay, even when {@code Connection} names them.
 *
 * @param head the request
 * @param trusted whether its forwarding fields are believed
 */
record EnvFields(RequestHead head, boolean trusted) {
    /** Fields that are told by variables of their own. */
    void addTo(EnvBlockWriter block) throws MalformedFrameException {
        List<HeaderField> fields = head.fields();
        Set<String> listed = listed();
        for (int i = 0; i < fields.size(); i++) {
            FieldName name = FieldName.of(fields.get(i).name());
            if (isPassed(name, listed) && !isRepeated(fields, i)) {
                block.add(name.variable(), joined(fields, i));
            }
        }
    }

    /** One field's value as it is in the block; null when it is not there. */
    @Nullable String value(String name) {
        List<HeaderField> fields = head.fields();
        for (int i = 0; i < fields.size(); i++) {
            String there = fields.get(i).name();
            if (there.equalsIgnoreCase(name)) {
                return isPassed(FieldName.of(there), listed()) ? joined(fields, i) : null;
            }
        }
        return null;
    }

    /** What the connection names as its own. */
    private Set<String> listed() {
        List<String> connection = head.values("Connection");
        // Without options of its own it names none but the fixed ones.
        return isUsual(connection) ? Set.of() : HopByHopFields.names(connection);
    }

    private boolean isPassed(FieldName name, Set<String> listed) {
        return switch (name.kind()) {
            case PLAIN -> !listed.contains(name.lower());
            case FORWARDED -> trusted;
            case DROPPED -> false;
        };
    }

    private static boolean isUsual(List<String> connection) {
        return connection.isEmpty()
                || (connection.size() == 1
                        && (connection.getFirst().equalsIgnoreCase("keep-alive")
                                || connection.getFirst().equalsIgnoreCase("close")));
    }

    /** Whether a field of the same name came before. */
    private static boolean isRepeated(List<HeaderField> fields, int index) {
        String name = fields.get(index).name();
        for (int i = 0; i < index; i++) {
            if (fields.get(i).name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** The value, with those of later fields of the same name. */
    private static String joined(List<HeaderField> fields, int index) {
        HeaderField first = fields.get(index);
        String separator = first.name().equalsIgnoreCase("cookie") ? "; " : ", ";
        String value = first.value();
        for (int i = index + 1; i < fields.size(); i++) {
            HeaderField other = fields.get(i);
            if (other.name().equalsIgnoreCase(first.name())) {
                value = value + separator + other.value();
            }
        }
        return value;
    }
}
