package org.lrwp.osp.usage;

import org.lrwp.osp.message.CallIds;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.ElementWriter;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.Sender;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One usage component, as it is kept. What the component did not say is empty.
 *
 * @param fingerprint the same for the same component sent again, and for no other
 * @param received when it came
 * @param role {@code source}, {@code destination} or what else was said
 * @param transaction the transaction's id as it was sent
 * @param callId the call's id in base64, as in what was authorised; what is no base64 as it was
 *     sent
 * @param calling the calling number
 * @param called the called number
 * @param source the signalling address of the source
 * @param destination the signalling address of the destination that was used
 * @param customer the customer's id, of its certificate if it has signed
 * @param device the device's id, of its certificate if it has signed
 * @param group the id of the conference
 * @param details how the call went
 */
public record UsageRecord(
        String fingerprint,
        Instant received,
        String role,
        String transaction,
        String callId,
        String calling,
        String called,
        String source,
        String destination,
        String customer,
        String device,
        String group,
        Details details) {
    private static final int MOST = 200;
    private static final int FINGERPRINT_BYTES = 16;
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,12}(\\.[0-9]{0,9})?");

    /**
     * How the call went.
     *
     * @param seconds how long, a decimal number; empty when nothing was said
     * @param start when it started
     * @param alert when the called side rang
     * @param connect when it was answered
     * @param end when it ended
     * @param delay the post dial delay in seconds, a decimal number
     * @param released who released it
     * @param cause why it ended, a number
     * @param causeType whose numbers those are
     * @param protocol the signalling protocol
     * @param codec the codec
     * @param lost what was lost, as JSON-like text of the statistics
     */
    public record Details(
            String seconds,
            String start,
            String alert,
            String connect,
            String end,
            String delay,
            String released,
            String cause,
            String causeType,
            String protocol,
            String codec,
            String lost) {}

    /**
     * Reads a component. What cannot be read is kept as far as it fits.
     *
     * @param component a UsageIndication
     * @param sender who sent the message
     * @param received when it came
     * @return the record
     */
    public static UsageRecord of(Element component, Sender sender, Instant received) {
        return new UsageRecord(
                fingerprint(component),
                received,
                text(component, "Role").toLowerCase(Locale.ROOT),
                text(component, "TransactionId"),
                callId(component),
                Party.in(component, "SourceInfo")
                        .map(Party::value)
                        .map(UsageRecord::cut)
                        .orElse(""),
                Party.in(component, "DestinationInfo")
                        .map(Party::value)
                        .map(UsageRecord::cut)
                        .orElse(""),
                transport(component, "SourceAlternate"),
                transport(component, "DestinationAlternate"),
                cut(sender.customer(component).orElse("")),
                cut(sender.device(component).orElse("")),
                component.child("Group").map(each -> text(each, "GroupId")).orElse(""),
                details(component.child("UsageDetail").orElse(Element.of("UsageDetail"))));
    }

    /**
     * Returns how long the call lasted.
     *
     * @return whole seconds, rounded up; 0 when it was not answered or nothing was said
     */
    public long wholeSeconds() {
        return decimal(details.seconds()).setScale(0, RoundingMode.CEILING).longValue();
    }

    /**
     * Returns the post dial delay.
     *
     * @return milliseconds; -1 when nothing was said
     */
    public long delayMillis() {
        return details.delay().isEmpty()
                ? -1
                : decimal(details.delay()).movePointRight(3).longValue();
    }

    private static Details details(Element usage) {
        Optional<Element> cause = usage.child("TerminationCause");
        return new Details(
                seconds(usage),
                text(usage, "StartTime"),
                text(usage, "AlertTime"),
                text(usage, "ConnectTime"),
                text(usage, "EndTime"),
                text(usage, "PostDialDelay"),
                text(usage, "ReleaseSource"),
                cause.map(each -> text(each, "TCCode")).orElse(""),
                cause.flatMap(each -> each.attribute("type")).map(UsageRecord::cut).orElse(""),
                text(usage, "SignalingProtocol"),
                text(usage, "Codec"),
                usage.child("Statistics").map(UsageRecord::lost).orElse(""));
    }

    /** Amount times Increment; clients send decimals in either. */
    private static String seconds(Element usage) {
        String amount = text(usage, "Amount");
        if (amount.isEmpty()) {
            return "";
        }
        String increment = text(usage, "Increment");
        return decimal(amount)
                .multiply(increment.isEmpty() ? BigDecimal.ONE : decimal(increment))
                .stripTrailingZeros()
                .toPlainString();
    }

    private static BigDecimal decimal(String text) {
        // A longer number, or one with an exponent, could make a text of any length.
        if (!DECIMAL.matcher(text).matches()) {
            return BigDecimal.ZERO;
        }
        return new BigDecimal(text.endsWith(".") ? text + "0" : text);
    }

    private static String lost(Element statistics) {
        StringBuilder text = new StringBuilder();
        for (String direction : List.of("LossSent", "LossReceived")) {
            statistics
                    .child(direction)
                    .ifPresent(
                            each ->
                                    text.append(direction)
                                            .append(' ')
                                            .append(text(each, "Packets"))
                                            .append('/')
                                            .append(text(each, "Fraction"))
                                            .append(' '));
        }
        return cut(text.toString().strip());
    }

    private static String callId(Element component) {
        return component
                .child("CallId")
                .map(each -> CallIds.canonical(each).orElse(each.text()))
                .map(UsageRecord::cut)
                .orElse("");
    }

    private static String transport(Element component, String name) {
        for (Element each : component.children()) {
            if (each.name().equals(name)
                    && each.attribute("type").filter("transport"::equals).isPresent()) {
                return cut(each.text());
            }
        }
        return "";
    }

    private static String text(Element element, String name) {
        return cut(element.childText(name).orElse(""));
    }

    private static String cut(String text) {
        return text.length() <= MOST ? text : text.substring(0, MOST);
    }

    private static String fingerprint(Element component) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(ElementWriter.write(component));
            return HexFormat.of().formatHex(Arrays.copyOf(digest, FINGERPRINT_BYTES));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
