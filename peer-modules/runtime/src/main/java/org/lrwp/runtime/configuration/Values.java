package org.lrwp.runtime.configuration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checked values of all keys at one moment. Immutable. */
public final class Values {
    private static final String HIDDEN = "***";

    /** A password inside a value that may be shown, such as the address of a database. */
    private static final Pattern PASSWORD =
            Pattern.compile("(?i)(password=|://[^/@:]*:)[^&;\\s@]+");

    private final List<Key<?>> keys;
    private final Map<String, Setting> settings;
    private final Map<String, Object> parsed = new LinkedHashMap<>();
    private final Set<String> faulty = new HashSet<>();

    /**
     * Checks settings.
     *
     * @param keys all that can be set
     * @param settings what is set, by name
     * @param faults gets a sentence for each that is unknown, bad, or missing
     */
    Values(List<Key<?>> keys, Map<String, Setting> settings, Collection<String> faults) {
        this.keys = keys;
        this.settings = new TreeMap<>(settings);
        for (Key<?> key : keys) {
            if (key.isRequired() && !settings.containsKey(key.name())) {
                faults.add(key.name() + " must be set: " + key.type().allowed());
            } else if (!key.isFamily() && !key.isRequired()) {
                parsed.put(key.name(), Objects.requireNonNull(key.type().parse(key.fallback())));
            }
        }
        this.settings.forEach((name, setting) -> check(name, setting, faults));
    }

    private void check(String name, Setting setting, Collection<String> faults) {
        Key<?> key = keyOf(keys, name);
        if (key == null) {
            faults.add(unknown(name, setting));
            return;
        }
        try {
            parsed.put(name, Objects.requireNonNull(key.type().parse(setting.text())));
        } catch (IllegalArgumentException e) {
            faulty.add(name);
            faults.add(
                    name
                            + " = "
                            + shown(key, setting.text())
                            + " ("
                            + setting.origin()
                            + "): "
                            + e.getMessage());
        }
    }

    private String unknown(String name, Setting setting) {
        String place = name + " (" + setting.origin() + ")";
        for (Key<?> key : keys) {
            Members members = key.members();
            String member = key.between(name);
            if (key.takesRest() && name.startsWith(key.head())) {
                return place + ": not of the form " + key.name().replace("*.**", "NAME.KEY");
            }
            if (members != null && member != null && !key.isFamily()) {
                return place + ": " + member + " is not " + members.allowed();
            }
        }
        Stream<String> names = keys.stream().filter(key -> !key.isFamily()).map(Key::name);
        Stream<String> ofMembers = keys.stream().flatMap(key -> key.nameLike(name).stream());
        return "unknown key " + place + Misspelling.hint(name, Stream.concat(names, ofMembers));
    }

    /** The key that a name means; null when there is none. */
    static @Nullable Key<?> keyOf(List<Key<?>> keys, String name) {
        for (Key<?> key : keys) {
            if (key.name().equals(name) && !key.isFamily()) {
                return key;
            }
        }
        for (Key<?> key : keys) {
            if (key.memberIn(name) != null) {
                return key;
            }
        }
        return null;
    }

    private static String shown(Key<?> key, String text) {
        return key.use().isHidden() ? HIDDEN : PASSWORD.matcher(text).replaceAll("$1" + HIDDEN);
    }

    /**
     * Returns the value of a key.
     *
     * @param <T> what it becomes
     * @param key one of the keys, not a family
     * @return its value, or its default
     */
    public <T> T get(Key<T> key) {
        return get(key, key.name());
    }

    /**
     * Returns the value of a key for one member.
     *
     * @param <T> what it becomes
     * @param key one of the keys, with members
     * @param member one of them
     * @return its value for that member; else the default of a family, or the value for all
     */
    public <T> T of(Key<T> key, String member) {
        String name = key.nameOf(member);
        return key.isFamily() || parsed.containsKey(name) ? get(key, name) : get(key);
    }

    /**
     * Says whether somebody has set a key.
     *
     * @param key one of the keys, not a family
     * @return whether its value is more than the default
     */
    public boolean isSet(Key<?> key) {
        return settings.containsKey(key.name());
    }

    /**
     * Says whether a setting has a fault, so that there is its default in its place.
     *
     * @param name the name of a setting
     * @return whether it is set, but not to what is allowed
     */
    public boolean isFaulty(String name) {
        return faulty.contains(name);
    }

    /**
     * Returns what is set under names that begin alike.
     *
     * @param head how the names begin
     * @return by the rest of the name
     */
    public Map<String, Setting> under(String head) {
        Map<String, Setting> found = new TreeMap<>();
        settings.forEach(
                (name, setting) -> {
                    if (name.startsWith(head)) {
                        found.put(name.substring(head.length()), setting);
                    }
                });
        return found;
    }

    @SuppressWarnings("unchecked")
    private <T> T get(Key<T> key, String name) {
        // Only the type of the key of that name has put it there.
        T value = (T) parsed.get(name);
        return value == null ? key.type().parse(key.fallback()) : value;
    }

    /**
     * Returns the members of a family, or the things that a key is set for alone: what any setting
     * names whose name begins like that of the key.
     *
     * @param key one of the keys, for example {@code class.*.rate}
     * @return for {@code class.video.path} and {@code class.video.rate}: {@code video}; sorted
     */
    public Set<String> members(Key<?> key) {
        Set<String> members = new TreeSet<>();
        for (Key<?> other : keys) {
            if (other.members() != null && other.head().equals(key.head())) {
                settings.keySet().forEach(name -> addMember(members, other.memberIn(name)));
            }
        }
        return members;
    }

    private static void addMember(Set<String> members, @Nullable String member) {
        if (member != null) {
            members.add(member);
        }
    }

    /**
     * Says where the value of a key comes from, for faults that a module finds itself.
     *
     * @param name the name of a setting
     * @return its origin
     */
    public Origin origin(String name) {
        Setting setting = settings.get(name);
        return setting == null ? Origin.DEFAULT : setting.origin();
    }

    /**
     * Returns all values as operators see them.
     *
     * @return in the order of the keys, members sorted
     */
    public List<Entry> entries() {
        Map<String, List<String>> members = new HashMap<>();
        for (String name : settings.keySet()) {
            Key<?> key = keyOf(keys, name);
            if (key != null && !name.equals(key.name())) {
                members.computeIfAbsent(key.name(), _ -> new ArrayList<>()).add(name);
            }
        }
        List<Entry> entries = new ArrayList<>();
        for (Key<?> key : keys) {
            if (!key.isFamily()) {
                Setting fallback = new Setting(key.fallback(), Origin.DEFAULT);
                entries.add(entry(key, key.name(), settings.getOrDefault(key.name(), fallback)));
            }
            for (String name : members.getOrDefault(key.name(), List.of())) {
                entries.add(entry(key, name, Objects.requireNonNull(settings.get(name))));
            }
        }
        return List.copyOf(entries);
    }

    private static Entry entry(Key<?> key, String name, Setting setting) {
        return new Entry(
                name,
                shown(key, setting.text().strip()),
                setting.origin(),
                key.type().allowed(),
                key.meaning(),
                key.isLive());
    }

    /** The text of a setting, or its default; empty when there is neither. */
    String text(String name) {
        Setting setting = settings.get(name);
        if (setting != null) {
            return setting.text().strip();
        }
        Key<?> key = keyOf(keys, name);
        if (key == null) {
            return "";
        }
        return key.isFamily() || name.equals(key.name()) ? key.fallback() : text(key.name());
    }

    /** The same for people: a secret is not shown. */
    String shown(String name) {
        Key<?> key = keyOf(keys, name);
        return key == null ? text(name) : shown(key, text(name));
    }

    /** What is set, by name. */
    Map<String, Setting> settings() {
        return settings;
    }
}
