package org.lrwp.osp.message;

import java.util.Optional;
import java.util.Set;

/**
 * A caller or a called one.
 *
 * @param type how the value is written, for example {@code e164}, {@code sip} or {@code url}
 * @param value the number or address as the client sent it, not empty
 */
public record Party(String type, String value) {
    private static final String DEFAULT_TYPE = "e164";

    /** Types that some clients put a number into, but others only a text to show. */
    private static final Set<String> TEXTS = Set.of("displayname", "cnam");

    /** Types that say something about a party but do not name it. */
    private static final Set<String> REMARKS =
            Set.of(
                    "routingnumber",
                    "cic",
                    "npdi",
                    "spid",
                    "altspid",
                    "ocn",
                    "spn",
                    "altspn",
                    "mcc",
                    "mnc");

    /**
     * Finds a party in a component.
     *
     * @param component the component
     * @param name the element's name, {@code SourceInfo} or {@code DestinationInfo}
     * @return the first number or address, or else the first text; empty when there is none
     */
    public static Optional<Party> in(Element component, String name) {
        Optional<Party> text = Optional.empty();
        for (Element each : component.children()) {
            if (!each.name().equals(name) || each.text().isEmpty()) {
                continue;
            }
            Party party = of(each);
            if (TEXTS.contains(party.type())) {
                text = text.isPresent() ? text : Optional.of(party);
            } else if (!REMARKS.contains(party.type())) {
                return Optional.of(party);
            }
        }
        return text;
    }

    private static Party of(Element element) {
        return new Party(element.attribute("type").orElse(DEFAULT_TYPE), element.text());
    }

    /**
     * Returns this party with another number in the place of its own.
     *
     * @param number the other number
     * @return a party of type {@code e164}
     */
    public Party withNumber(String number) {
        return new Party(DEFAULT_TYPE, number);
    }

    /**
     * Returns the part of the value that a call is routed by.
     *
     * @return the value without {@code sip:}, {@code tel:} or the like and without {@code +}; may
     *     be empty
     */
    public String number() {
        String number = value.substring(value.indexOf(':') + 1);
        return number.startsWith("+") ? number.substring(1) : number;
    }

    /**
     * Writes the party.
     *
     * @param name the element's name
     * @return the element
     */
    public Element toElement(String name) {
        return Element.leaf(name, value).with("type", type);
    }
}
