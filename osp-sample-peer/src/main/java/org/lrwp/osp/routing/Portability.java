package org.lrwp.osp.routing;

import org.lrwp.osp.message.Element;

import java.util.Optional;

/**
 * What is known of a number's portability (RFC 4694 has the same three for telephone numbers).
 *
 * @param routingNumber the number to route by, without plus sign, when the called one was ported
 * @param cic identification code of the carrier that is to take the call
 * @param asked whether the database of ported numbers has been asked already; a number that it did
 *     not know has no routing number then
 */
public record Portability(Optional<String> routingNumber, Optional<String> cic, boolean asked) {
    /** Nothing is known. */
    public static final Portability UNKNOWN =
            new Portability(Optional.empty(), Optional.empty(), false);

    private static final String NAME = "DestinationInfo";

    /** What is longer is neither number nor code, and would be repeated for each destination. */
    private static final int LONGEST = 64;

    /** Reads what a component says. */
    static Portability of(Element component) {
        Optional<String> number =
                text(component, "routingnumber")
                        .map(each -> each.startsWith("+") ? each.substring(1) : each);
        boolean asked =
                text(component, "npdi").filter(each -> !each.equalsIgnoreCase("false")).isPresent();
        return new Portability(number, text(component, "cic"), asked || number.isPresent());
    }

    /** The same with what the table of ported numbers says; what the client said counts more. */
    Portability completed(String foundNumber, String foundCic) {
        return new Portability(
                Optional.of(foundNumber),
                cic.or(() -> Optional.of(foundCic).filter(each -> !each.isEmpty())),
                true);
    }

    private static Optional<String> text(Element component, String type) {
        return component.children(NAME).stream()
                .filter(each -> Origin.isOfType(each, type))
                .map(Element::text)
                .filter(text -> text.length() <= LONGEST)
                .findFirst();
    }
}
