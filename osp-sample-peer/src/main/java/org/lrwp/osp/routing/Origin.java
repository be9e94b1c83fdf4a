package org.lrwp.osp.routing;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Sender;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who asks for a call.
 *
 * @param addresses its signalling addresses as it gave them, the asking gateway's before those of a
 *     device behind it; may be empty
 * @param networks ids of networks it says it is in; may be empty
 * @param customer its customer id; empty when it gave none
 * @param device its device id; empty when it gave none
 * @param local whether it is on this machine
 * @param proven whether its certificate says customer and device, rather than it itself
 */
public record Origin(
        List<String> addresses,
        List<String> networks,
        Optional<String> customer,
        Optional<String> device,
        boolean local,
        boolean proven) {
    /** Copies the lists. */
    public Origin {
        addresses = List.copyOf(addresses);
        networks = List.copyOf(networks);
    }

    /**
     * Reads the origin out of a component.
     *
     * @param component any component
     * @param sender who sent the message
     * @return who sent it
     */
    public static Origin of(Element component, Sender sender) {
        List<String> addresses = new ArrayList<>();
        List<String> networks = new ArrayList<>();
        for (Element each : component.children("SourceAlternate")) {
            if (isOfType(each, "transport")) {
                addresses.add(each.text());
            } else if (isOfType(each, "network")) {
                networks.add(each.text());
            }
        }
        component.children("DeviceInfo").stream()
                .filter(each -> isOfType(each, "transport"))
                .forEach(each -> addresses.add(each.text()));
        return new Origin(
                addresses,
                networks,
                sender.customer(component),
                sender.device(component),
                sender.local(),
                sender.proven().isPresent());
    }

    static boolean isOfType(Element element, String type) {
        return !element.text().isEmpty()
                && type.equalsIgnoreCase(element.attribute("type").orElse(""));
    }
}
