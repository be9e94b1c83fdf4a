package org.lrwp.runtime.configuration;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One thing that can be set, or a family of them: the name of a family has one {@code *}, which
 * stands for a name that the user chooses ({@code class.*.rate}).
 *
 * @param <T> what its value becomes
 * @param name words in kebab case, joined by dots
 * @param type the kind of its value
 * @param fallback its default, as it would be written; one that the type does not allow means that
 *     the key must be set
 * @param meaning what it limits or sets, and what happens at the limit: a sentence for help and
 *     docs
 * @param use when it may change, and who may see it
 */
public record Key<T>(String name, ValueType<T> type, String fallback, String meaning, Use use) {
    /** When a key may change, and who may see its value. */
    public enum Use {
        /** It may change while the program runs. */
        LIVE,
        /** It is read at the start; a change needs another one. */
        AT_START,
        /** The same, and its value is shown nowhere. */
        SECRET
    }

    private static final String WORD = "[a-z][a-z0-9-]*";
    private static final Pattern NAME =
            Pattern.compile(WORD + "(\\." + WORD + ")*(\\.\\*(\\." + WORD + ")+)?");
    private static final Pattern MEMBER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

    /** Checks the name and that nothing is missing. */
    public Key {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(fallback, "fallback");
        Objects.requireNonNull(meaning, "meaning");
        Objects.requireNonNull(use, "use");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not the name of a key: " + name);
        }
    }

    /**
     * Makes a key whose value may change while the program runs.
     *
     * @param <T> what its value becomes
     * @param name words in kebab case, joined by dots; one word may be {@code *}
     * @param type the kind of its value
     * @param fallback its default
     * @param meaning a sentence
     * @return the key
     */
    public static <T> Key<T> live(String name, ValueType<T> type, String fallback, String meaning) {
        return new Key<>(name, type, fallback, meaning, Use.LIVE);
    }

    /**
     * Makes a key whose value is read at the start.
     *
     * @param <T> what its value becomes
     * @param name words in kebab case, joined by dots; one word may be {@code *}
     * @param type the kind of its value
     * @param fallback its default
     * @param meaning a sentence
     * @return the key
     */
    public static <T> Key<T> atStart(
            String name, ValueType<T> type, String fallback, String meaning) {
        return new Key<>(name, type, fallback, meaning, Use.AT_START);
    }

    /**
     * Says whether this is a family of keys.
     *
     * @return whether its name has a {@code *}
     */
    public boolean isFamily() {
        return name.indexOf('*') >= 0;
    }

    /**
     * Says whether it must be set, because there is no default.
     *
     * @return whether the default is not allowed
     */
    public boolean isRequired() {
        return !isFamily() && !type.allows(fallback);
    }

    /**
     * Returns the full name of one member of the family.
     *
     * @param member what stands for {@code *}
     * @return the name
     */
    public String nameOf(String member) {
        return name.replace("*", member);
    }

    /**
     * Returns the member that a full name means.
     *
     * @param fullName the name of a setting
     * @return what stands for {@code *}; null when it is no name of this family
     */
    @Nullable String memberIn(String fullName) {
        int star = name.indexOf('*');
        if (star < 0) {
            return null;
        }
        String head = name.substring(0, star);
        String tail = name.substring(star + 1);
        if (!fullName.startsWith(head)
                || !fullName.endsWith(tail)
                || fullName.length() <= head.length() + tail.length()) {
            return null;
        }
        String member = fullName.substring(head.length(), fullName.length() - tail.length());
        return MEMBER.matcher(member).matches() ? member : null;
    }

    /** Whether a setting of this name is meant for this key. */
    boolean isNamed(String fullName) {
        return isFamily() ? memberIn(fullName) != null : name.equals(fullName);
    }
}
