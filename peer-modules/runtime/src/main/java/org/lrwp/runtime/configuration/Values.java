package org.lrwp.runtime.configuration;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The checked values of all keys at one moment. Immutable. */
public final class Values {
    private static final String HIDDEN = "***";

    private final List<Key<?>> keys;
    private final Map<String, Setting> settings;
    private final Map<String, Object> parsed = new LinkedHashMap<>();

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
            faults.add("unknown key " + name + " (" + setting.origin() + ")");
            return;
        }
        try {
            parsed.put(name, Objects.requireNonNull(key.type().parse(setting.text())));
        } catch (IllegalArgumentException e) {
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

    /** The key that a name means; null when there is none. */
    static @Nullable Key<?> keyOf(List<Key<?>> keys, String name) {
        for (Key<?> key : keys) {
            if (key.isNamed(name)) {
                return key;
            }
        }
        return null;
    }

    private static String shown(Key<?> key, String text) {
        return key.use() == Key.Use.SECRET ? HIDDEN : text;
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
     * Returns the value of one member of a family.
     *
     * @param <T> what it becomes
     * @param family one of the keys
     * @param member what stands for {@code *}
     * @return its value, or the default of the family
     */
    public <T> T of(Key<T> family, String member) {
        return get(family, family.nameOf(member));
    }

    @SuppressWarnings("unchecked")
    private <T> T get(Key<T> key, String name) {
        // Only the type of the key of that name has put it there.
        T value = (T) parsed.get(name);
        return value == null ? key.type().parse(key.fallback()) : value;
    }

    /**
     * Returns the members of a family: what stands for {@code *} in any setting whose name begins
     * like that of the family.
     *
     * @param family one of the keys, for example {@code class.*.rate}
     * @return for {@code class.video.path} and {@code class.video.rate}: {@code video}; sorted
     */
    public Set<String> members(Key<?> family) {
        String head = family.name().substring(0, family.name().indexOf('*') + 1);
        Set<String> members = new TreeSet<>();
        for (Key<?> key : keys) {
            if (key.name().startsWith(head)) {
                settings.keySet().forEach(name -> addMember(members, key.memberIn(name)));
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
     * @return in the order of the keys, those of a family sorted
     */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (Key<?> key : keys) {
            if (key.isFamily()) {
                settings.forEach(
                        (name, setting) -> {
                            if (key.isNamed(name)) {
                                entries.add(entry(key, name, setting));
                            }
                        });
            } else {
                Setting fallback = new Setting(key.fallback(), Origin.DEFAULT);
                entries.add(entry(key, key.name(), settings.getOrDefault(key.name(), fallback)));
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
                key.use() == Key.Use.LIVE);
    }

    /** The text of a setting, or its default; empty when there is neither. */
    String text(String name) {
        Setting setting = settings.get(name);
        if (setting != null) {
            return setting.text().strip();
        }
        Key<?> key = keyOf(keys, name);
        return key == null ? "" : key.fallback();
    }
}
