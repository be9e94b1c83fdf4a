package org.lrwp.osp.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The names of elements that clients use inside components. What is not among them is passed over,
 * but when it is marked as critical it makes its component fail with {@link
 * Status#UNKNOWN_CRITICAL_ELEMENT}. The names stand in {@code known-elements.txt} beside this
 * class.
 */
public final class KnownElements {
    private static final Set<String> NAMES = load();

    private KnownElements() {}

    /**
     * Checks that a component has no element that is unknown and critical, at any depth. What is
     * inside an unknown element that is passed over is passed over with it.
     *
     * @param component the component
     * @throws RefusedException for the first such element
     */
    public static void check(Element component) throws RefusedException {
        Optional<Element> unknown = firstUnknown(component);
        if (unknown.isPresent()) {
            throw new RefusedException(Status.UNKNOWN_CRITICAL_ELEMENT, unknown.get().name());
        }
    }

    private static Optional<Element> firstUnknown(Element parent) {
        for (Element child : parent.children()) {
            if (NAMES.contains(child.name())) {
                Optional<Element> deeper = firstUnknown(child);
                if (deeper.isPresent()) {
                    return deeper;
                }
            } else if (child.isCritical()) {
                return Optional.of(child);
            }
        }
        return Optional.empty();
    }

    private static Set<String> load() {
        try (InputStream names =
                Objects.requireNonNull(
                        KnownElements.class.getResourceAsStream("known-elements.txt"))) {
            return new String(names.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    // The reader's names are interned too, so most are found at the first look.
                    .map(String::intern)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("known-elements.txt", unreadable);
        }
    }
}
