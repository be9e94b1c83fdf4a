package org.lrwp.osp.token;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.ElementWriter;
import org.lrwp.osp.message.MalformedMessageException;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.token.TokenClass.Form;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes and reads the terms of a token in either form. Stateless, any thread may call it. */
final class TokenText {
    /** Clients read no longer ASCII tokens, and no longer values in them. */
    private static final int MOST_BYTES = 1_000;

    private static final int MOST_VALUE = 200;
    private static final String FIRST_LINE = "V=1\n";
    private static final MessageReader READER = new MessageReader();

    private TokenText() {}

    static byte[] write(TokenTerms terms, Form form, int random) throws RefusedException {
        return form == Form.XML ? xml(terms, random) : ascii(terms, random);
    }

    static List<Element> allowance(int seconds) {
        return List.of(
                Element.leaf("Amount", Integer.toString(seconds)),
                Element.leaf("Increment", "1"),
                Element.of("Service"),
                Element.leaf("Unit", "s"));
    }

    private static byte[] xml(TokenTerms terms, int random) {
        List<Element> parts = new ArrayList<>();
        terms.caller().ifPresent(caller -> parts.add(caller.toElement("SourceInfo")));
        parts.add(terms.called().toElement("DestinationInfo"));
        parts.add(Element.leaf("CallId", terms.callId()).with("encoding", "base64"));
        parts.add(Element.leaf("ValidAfter", Reply.timestamp(terms.validAfter())));
        parts.add(Element.leaf("ValidUntil", Reply.timestamp(terms.validUntil())));
        parts.add(Element.leaf("TransactionId", terms.transaction()));
        parts.add(Element.of("UsageDetail", allowance(terms.seconds())));
        return ElementWriter.write(
                Element.of("TokenInfo", parts).with("random", Integer.toString(random)));
    }

    private static byte[] ascii(TokenTerms terms, int random) throws RefusedException {
        StringBuilder text = new StringBuilder(FIRST_LINE);
        line(text, 'r', Integer.toString(random));
        if (terms.caller().isPresent()) {
            line(text, 'c', terms.caller().get().value());
        }
        line(text, 'C', terms.called().value());
        line(text, 'i', terms.callId());
        line(text, 'a', Reply.timestamp(terms.validAfter()));
        line(text, 'u', Reply.timestamp(terms.validUntil()));
        line(text, 'I', terms.transaction());
        line(text, 'A', Integer.toString(terms.seconds()));
        if (text.length() > MOST_BYTES) {
            throw new RefusedException(Status.BAD_REQUEST, "too long for an ASCII token");
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void line(StringBuilder text, char letter, String value)
            throws RefusedException {
        if (value.length() > MOST_VALUE || !value.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new RefusedException(Status.BAD_REQUEST, "no value for an ASCII token");
        }
        text.append(letter).append('=').append(value).append('\n');
    }

    static TokenTerms read(byte[] bytes) throws RefusedException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            return text.startsWith("V=") ? readAscii(text) : readXml(bytes);
        } catch (MalformedMessageException | DateTimeException | NumberFormatException unreadable) {
            throw new RefusedException(Status.SIGNATURE_INVALID, "the token cannot be read");
        }
    }

    private static TokenTerms readXml(byte[] bytes)
            throws MalformedMessageException, RefusedException {
        Element info = READER.readElement(bytes);
        Optional<Element> usage = info.children("UsageDetail").stream().findFirst();
        String amount = usage.flatMap(each -> each.childText("Amount")).orElse("0");
        return new TokenTerms(
                Party.in(info, "SourceInfo"),
                Party.in(info, "DestinationInfo").orElseThrow(() -> lacking("DestinationInfo")),
                info.childText("CallId").orElseThrow(() -> lacking("CallId")),
                Instant.parse(info.childText("ValidAfter").orElse("")),
                Instant.parse(info.childText("ValidUntil").orElse("")),
                info.childText("TransactionId").orElse(""),
                Integer.parseInt(amount));
    }

    private static TokenTerms readAscii(String text) throws RefusedException {
        Map<Character, String> lines = new HashMap<>();
        text.lines()
                .filter(line -> line.length() > 2 && line.charAt(1) == '=')
                .forEach(line -> lines.putIfAbsent(line.charAt(0), line.substring(2).strip()));
        Optional<Party> caller =
                Optional.ofNullable(lines.get('c')).map(number -> new Party("e164", number));
        return new TokenTerms(
                caller,
                new Party("e164", value(lines, 'C')),
                value(lines, 'i'),
                Instant.parse(value(lines, 'a')),
                Instant.parse(value(lines, 'u')),
                lines.getOrDefault('I', ""),
                Integer.parseInt(lines.getOrDefault('A', "0")));
    }

    private static String value(Map<Character, String> lines, char letter) throws RefusedException {
        String value = lines.get(letter);
        if (value == null) {
            throw lacking(String.valueOf(letter));
        }
        return value;
    }

    private static RefusedException lacking(String name) {
        return new RefusedException(Status.SIGNATURE_INVALID, "the token lacks " + name);
    }
}
