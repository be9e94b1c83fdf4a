package org.lrwp.osp.message;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An element of an OSP message. Immutable.
 *
 * @param name the element's name as it was sent, with its prefix if it had one
 * @param attributes the attributes by name, in the order they were given
 * @param text the element's own text without white space at its ends; empty when there is none
 * @param children the elements inside, in the order they were given
 */
public record Element(
        String name, Map<String, String> attributes, String text, List<Element> children) {
    /** Copies the collections. */
    public Element {
        // Of one there is no order to be kept, and the small map costs a fraction.
        attributes =
                attributes.size() <= 1
                        ? Map.copyOf(attributes)
                        : Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        children = List.copyOf(children);
    }

    /**
     * Creates an element of elements.
     *
     * @param name the element's name
     * @param children the elements inside
     * @return the element
     */
    public static Element of(String name, List<Element> children) {
        return new Element(name, Map.of(), "", children);
    }

    /**
     * Creates an element of elements.
     *
     * @param name the element's name
     * @param children the elements inside
     * @return the element
     */
    public static Element of(String name, Element... children) {
        return of(name, Arrays.asList(children));
    }

    /**
     * Creates an element of text.
     *
     * @param name the element's name
     * @param text its text
     * @return the element
     */
    public static Element leaf(String name, String text) {
        return new Element(name, Map.of(), text, List.of());
    }

    /**
     * Returns this element with one more attribute.
     *
     * @param attribute the attribute's name
     * @param value its value
     * @return a new element
     */
    public Element with(String attribute, String value) {
        if (attributes.isEmpty()) {
            return new Element(name, Map.of(attribute, value), text, children);
        }
        Map<String, String> more = new LinkedHashMap<>(attributes);
        more.put(attribute, value);
        return new Element(name, more, text, children);
    }

    /**
     * Returns an attribute without white space at its ends.
     *
     * @param attribute the attribute's name
     * @return its value; empty when it was not given
     */
    public Optional<String> attribute(String attribute) {
        return Optional.ofNullable(attributes.get(attribute)).map(String::strip);
    }

    /**
     * Returns the elements inside that have a name.
     *
     * @param child the name
     * @return those elements in their order; may be empty
     */
    public List<Element> children(String child) {
        List<Element> found = new ArrayList<>(2);
        for (Element each : children) {
            if (each.name().equals(child)) {
                found.add(each);
            }
        }
        return found;
    }

    /**
     * Returns the first element inside that has a name.
     *
     * @param child the name
     * @return that element; empty when there is none
     */
    public Optional<Element> child(String child) {
        for (Element each : children) {
            if (each.name().equals(child)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the text of the first element inside that has a name and a text.
     *
     * @param child the name
     * @return the text, never an empty one; empty when there is no such element
     */
    public Optional<String> childText(String child) {
        for (Element each : children) {
            if (each.name().equals(child) && !each.text().isEmpty()) {
                return Optional.of(each.text());
            }
        }
        return Optional.empty();
    }

    /**
     * Tells whether a receiver that does not know this element has to refuse.
     *
     * @return true when the sender marked it {@code critical="true"}; real clients send many
     *     elements that say nothing
     */
    public boolean isCritical() {
        return attribute("critical").filter("true"::equalsIgnoreCase).isPresent();
    }
}
