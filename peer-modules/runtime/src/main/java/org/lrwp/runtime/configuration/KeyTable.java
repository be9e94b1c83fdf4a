package org.lrwp.runtime.configuration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * All keys of one program or module. A class declares each of them once, as a constant, and so in
 * the order of help and docs:
 *
 * <pre>{@code
 * static final Key<Duration> WAIT = TABLE.key("wait", TIME, "25s").live("How long it waits.");
 * }</pre>
 *
 * <p>For the one thread that initialises that class; {@link #all()} is for any thread afterwards.
 */
public final class KeyTable {
    private final List<Key<?>> keys = new ArrayList<>();

    /** Creates a table without keys. */
    public KeyTable() {}

    /**
     * Begins a key; it is in the table when it has been said when it may change.
     *
     * @param <T> what its value becomes
     * @param name words in kebab case, joined by dots; one word may be {@code *}
     * @param type the kind of its value
     * @param fallback its default; one that the type does not allow means that it must be set
     * @return the key without its meaning
     */
    public <T> Draft<T> key(String name, ValueType<T> type, String fallback) {
        return new Draft<>(this, name, type, fallback);
    }

    /**
     * A key that has no meaning yet.
     *
     * @param <T> what its value becomes
     */
    public static final class Draft<T> {
        private final KeyTable table;
        private final String name;
        private final ValueType<T> type;
        private final String fallback;
        private @Nullable Members members;

        private Draft(KeyTable table, String name, ValueType<T> type, String fallback) {
            this.table = table;
            this.name = name;
            this.type = type;
            this.fallback = fallback;
            this.members = Members.of(name);
        }

        /**
         * Lets the key be set for one thing alone, too.
         *
         * @param things the names of these things
         * @return this draft
         */
        public Draft<T> each(Members things) {
            this.members = things;
            return this;
        }

        /**
         * Adds a key whose value may change while the program runs.
         *
         * @param meaning what it limits or sets, and what happens at the limit: a sentence
         * @return the key
         * @throws IllegalArgumentException for a name that is none, or that is there already
         */
        public Key<T> live(String meaning) {
            return add(meaning, Key.Use.LIVE);
        }

        /**
         * Adds a key whose value is read at the start.
         *
         * @param meaning what it limits or sets, and what happens at the limit: a sentence
         * @return the key
         * @throws IllegalArgumentException for a name that is none, or that is there already
         */
        public Key<T> atStart(String meaning) {
            return add(meaning, Key.Use.AT_START);
        }

        /**
         * Adds a key whose value is read at the start, and shown nowhere.
         *
         * @param meaning what it limits or sets, and what happens at the limit: a sentence
         * @return the key
         * @throws IllegalArgumentException for a name that is none, or that is there already
         */
        public Key<T> secret(String meaning) {
            return add(meaning, Key.Use.SECRET);
        }

        /**
         * Adds a key whose value may change while the program runs, and is shown nowhere.
         *
         * @param meaning what it limits or sets, and what happens at the limit: a sentence
         * @return the key
         * @throws IllegalArgumentException for a name that is none, or that is there already
         */
        public Key<T> liveSecret(String meaning) {
            return add(meaning, Key.Use.LIVE_SECRET);
        }

        private Key<T> add(String meaning, Key.Use use) {
            return table.add(new Key<>(name, type, fallback, meaning, use, members));
        }
    }

    private <T> Key<T> add(Key<T> key) {
        for (Key<?> other : keys) {
            if (other.name().equals(key.name())) {
                throw new IllegalArgumentException("there are two keys " + key.name());
            }
        }
        keys.add(key);
        return key;
    }

    /**
     * Returns all keys.
     *
     * @return in the order in which they were added
     */
    public List<Key<?>> all() {
        return List.copyOf(keys);
    }
}
