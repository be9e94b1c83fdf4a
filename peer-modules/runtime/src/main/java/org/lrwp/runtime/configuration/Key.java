package org.lrwp.runtime.configuration;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One thing that can be set, or a family of them: the name of a family has one {@code *}, which
 * stands for a name that the user chooses ({@code class.*.rate}). A key with members can also be
 * set for one of them alone, by putting its name behind the first word ({@code context.grace},
 * {@code context./osp.grace}). A family that ends with {@code **} takes whatever begins like it:
 * settings that somebody else checks.
 *
 * @param <T> what its value becomes
 * @param name words in kebab case, joined by dots
 * @param type the kind of its value
 * @param fallback its default, as it would be written; one that the type does not allow means that
 *     the key must be set
 * @param meaning what it limits or sets, and what happens at the limit: a sentence for help and
 *     docs
 * @param use when it may change, and who may see it
 * @param members what it can be set for; null for a key that is one thing
 */
public record Key<T>(
        String name,
        ValueType<T> type,
        String fallback,
        String meaning,
        Use use,
        @Nullable Members members) {
    /** When a key may change, and who may see its value. */
    public enum Use {
        /** It may change while the program runs. */
        LIVE,
        /** It is read at the start; a change needs another one. */
        AT_START,
        /** The same, and its value is shown nowhere. */
        SECRET,
        /** It may change while the program runs, and its value is shown nowhere. */
        LIVE_SECRET;

        /** Whether it may change while the program runs. */
        boolean isLive() {
            return this == LIVE || this == LIVE_SECRET;
        }

        /** Whether its value is shown nowhere. */
        boolean isHidden() {
            return this == SECRET || this == LIVE_SECRET;
        }
    }

    /**
     * Says whether it may change while the program runs.
     *
     * @return whether it takes effect at once
     */
    public boolean isLive() {
        return use.isLive();
    }

    private static final String WORD = "[a-z][a-z0-9-]*";
    private static final Pattern NAME =
            Pattern.compile(WORD + "(\\." + WORD + ")*(\\.\\*((\\." + WORD + ")+|\\.\\*\\*))?");
    private static final String REST = ".**";

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
        return new Key<>(name, type, fallback, meaning, Use.LIVE, Members.of(name));
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
        return new Key<>(name, type, fallback, meaning, Use.AT_START, Members.of(name));
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

    /** Whether it takes whatever begins like it. */
    boolean takesRest() {
        return name.endsWith(REST);
    }

    /**
     * Returns the full name for one member.
     *
     * @param member one of {@link #members}
     * @return the name
     */
    public String nameOf(String member) {
        return head() + member + tail();
    }

    /** What stands before a member. */
    String head() {
        int star = name.indexOf('*');
        return name.substring(0, star < 0 ? name.indexOf('.') + 1 : star);
    }

    private String tail() {
        int star = name.indexOf('*');
        return name.substring(star < 0 ? name.indexOf('.') : star + 1);
    }

    /**
     * Returns the member that a full name means.
     *
     * @param fullName the name of a setting
     * @return one of {@link #members}; null when it is no such name of this key
     */
    @Nullable String memberIn(String fullName) {
        String member = between(fullName);
        return members != null && member != null && members.test().test(member) ? member : null;
    }

    /** The full name for the member in a name whose last words may be misspelled. */
    Optional<String> nameLike(String fullName) {
        String head = head();
        if (members == null || takesRest() || !fullName.startsWith(head)) {
            return Optional.empty();
        }
        int end = fullName.length();
        for (long words = tail().chars().filter(c -> c == '.').count(); words > 0; words--) {
            end = fullName.lastIndexOf('.', end - 1);
        }
        return end > head.length()
                ? Optional.of(fullName.substring(head.length(), end))
                        .filter(members.test())
                        .map(this::nameOf)
                : Optional.empty();
    }

    /** What stands where a member should; null when the rest is not of this key. */
    @Nullable String between(String fullName) {
        String head = head();
        if (members == null || !fullName.startsWith(head)) {
            return null;
        }
        if (takesRest()) {
            int dot = fullName.indexOf('.', head.length());
            return dot < 0 || dot == fullName.length() - 1
                    ? null
                    : fullName.substring(head.length(), dot);
        }
        String tail = tail();
        return fullName.endsWith(tail) && fullName.length() > head.length() + tail.length()
                ? fullName.substring(head.length(), fullName.length() - tail.length())
                : null;
    }
}
