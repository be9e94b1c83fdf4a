package org.lrwp.osp.message;

import java.util.Optional;

/**
 * Who sent a message, as far as that is more than what the message says of itself.
 *
 * @param local whether it came from this machine
 * @param proven the device whose certificate signed it, or was shown; empty for none
 * @param signed whether the message itself is signed: then somebody else may bring it, too
 */
public record Sender(boolean local, Optional<Device> proven, boolean signed) {
    /** Somebody on this machine, who has proved nothing. */
    public static final Sender LOCAL = new Sender(true, Optional.empty(), false);

    /** Somebody elsewhere, who has proved nothing. */
    public static final Sender REMOTE = new Sender(false, Optional.empty(), false);

    /**
     * A device as its certificate names it.
     *
     * @param customer the organisation of the subject (O), not empty
     * @param id the common name of the subject (CN), not empty
     */
    public record Device(String customer, String id) {
        /** Checks that both names are there. */
        public Device {
            if (customer.isEmpty() || id.isEmpty()) {
                throw new IllegalArgumentException("a device without a name");
            }
        }
    }

    /**
     * Returns this sender with a proof of who it is.
     *
     * @param device whose certificate has signed
     * @return the proven sender
     */
    public Sender proving(Device device) {
        return new Sender(local, Optional.of(device), true);
    }

    /**
     * Returns this sender with a certificate that its connection to the proxy has shown.
     *
     * @param device whose certificate
     * @return the proven sender
     */
    public Sender showing(Device device) {
        return new Sender(local, Optional.of(device), false);
    }

    /**
     * Returns the customer of a component: that of the certificate, else what the component says.
     *
     * @param component a component of the message
     * @return the customer's id; empty when nobody says one
     */
    public Optional<String> customer(Element component) {
        return proven.isPresent()
                ? proven.map(Device::customer)
                : component.childText("CustomerId");
    }

    /**
     * Returns the device of a component: that of the certificate, else what the component says.
     *
     * @param component a component of the message
     * @return the device's id; empty when nobody says one
     */
    public Optional<String> device(Element component) {
        return proven.isPresent() ? proven.map(Device::id) : component.childText("DeviceId");
    }
}
