package org.lrwp.protocol.frame;

import org.jspecify.annotations.Nullable;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The variables of an env block. A program looks at few of the thirty or so that a proxy sends, so
 * each is looked for where it stands; a map is made when somebody wants to see them all.
 * Unmodifiable, any thread may call it.
 */
final class EnvironmentBlock extends AbstractMap<String, String> {
    /** Entries {@code name=value}, each with a NUL behind it. */
    private final String text;

    private volatile @Nullable Map<String, String> whole;

    EnvironmentBlock(String text) {
        this.text = text;
    }

    /** The last of equal names counts. */
    @Override
    public @Nullable String get(@Nullable Object key) {
        if (!(key instanceof String name) || name.indexOf('=') >= 0) {
            return null;
        }
        int from = -1;
        int to = -1;
        int start = 0;
        for (int end = text.indexOf(0); end >= 0; end = text.indexOf(0, start)) {
            int equals = start + name.length();
            if (equals < end && text.charAt(equals) == '=' && text.startsWith(name, start)) {
                from = equals + 1;
                to = end;
            }
            start = end + 1;
        }
        return from < 0 ? null : text.substring(from, to);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        Map<String, String> all = whole;
        if (all == null) {
            all = Collections.unmodifiableMap(read());
            whole = all;
        }
        return all.entrySet();
    }

    private Map<String, String> read() {
        Map<String, String> variables = new LinkedHashMap<>();
        int equals = text.indexOf('=');
        int start = 0;
        for (int end = text.indexOf(0); end >= 0; end = text.indexOf(0, start)) {
            // Looked for once, however many entries have none.
            equals = equals >= 0 && equals < start ? text.indexOf('=', start) : equals;
            if (equals >= 0 && equals < end) {
                variables.put(text.substring(start, equals), text.substring(equals + 1, end));
            }
            start = end + 1;
        }
        return variables;
    }
}
