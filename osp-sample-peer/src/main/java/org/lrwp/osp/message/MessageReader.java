package org.lrwp.osp.message;

import org.jspecify.annotations.Nullable;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads OSP messages. Forgiving in what real clients do (white space around texts, either quote,
 * prefixes without a declaration), strict in what only an attacker does: no document type, no
 * entities beyond the five of XML, and a limit for everything. Stateless, any thread may call it.
 */
public final class MessageReader {
    /** Shared by all: once set up, this parser's factory may be used by any thread. */
    private static final XMLInputFactory FACTORY = safeFactory();

    /** Characters that the parser takes at once: usual messages are shorter. */
    private static final int BUFFERED = 2_048;

    private final MessageLimits limits;

    /** Creates a reader with the usual limits. */
    public MessageReader() {
        this(MessageLimits.USUAL);
    }

    /**
     * Creates a reader.
     *
     * @param limits what is read at most
     */
    public MessageReader(MessageLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads the element of a document that is no message, such as the inside of a token.
     *
     * @param bytes the whole document
     * @return its element
     * @throws MalformedMessageException when it is not XML or beyond a limit
     */
    public Element readElement(byte[] bytes) throws MalformedMessageException {
        String text = MessageText.decode(bytes);
        try {
            XMLStreamReader reader = FACTORY.createXMLStreamReader(new StringReader(text));
            try {
                return new TreeBuilder(limits).build(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException notXml) {
            throw new MalformedMessageException("the message is not well-formed XML", notXml);
        }
    }

    /**
     * Reads a message.
     *
     * @param bytes the whole message; the caller has limited its length
     * @return the message
     * @throws MalformedMessageException when it is not XML, not an OSP message, without a component
     *     or beyond a limit
     */
    public Message read(byte[] bytes) throws MalformedMessageException {
        Element root = readElement(bytes);
        if (!root.name().equals(Message.NAME)) {
            throw new MalformedMessageException(
                    "the document is not an OSP message: its root is not Message");
        }
        if (root.children().isEmpty()) {
            throw new MalformedMessageException("the message has no component");
        }
        if (root.children().size() > limits.components()) {
            throw new MalformedMessageException(
                    "the message has more than " + limits.components() + " components");
        }
        return new Message(root.attribute("messageId"), root.children());
    }

    /** The one of the library on the class path; its own class needs annotations that are not. */
    private static XMLInputFactory safeFactory() {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        // Without document types no entity can be declared, so each one is an error.
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, true);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // Else texts are read when they are asked for, and what is wrong in them is no XML fault.
        factory.setProperty("com.ctc.wstx.lazyParsing", false);
        // New for each message, on a thread of its own: 4,000 characters would be 8 KB to be
        // cleared.
        factory.setProperty("com.ctc.wstx.inputBufferLength", BUFFERED);
        // Clients send cisco.com:AuditSignal without declaring the prefix.
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        return factory;
    }

    /** Builds the tree of one document. */
    private static final class TreeBuilder {
        private static final String SPACE = " \n\r\t";

        private final MessageLimits limits;
        private int elements;

        TreeBuilder(MessageLimits limits) {
            this.limits = limits;
        }

        Element build(XMLStreamReader reader) throws XMLStreamException, MalformedMessageException {
            while (reader.hasNext()) {
                int event = reader.next();
                if (event == XMLStreamConstants.DTD) {
                    throw new MalformedMessageException("a document type is not allowed");
                }
                if (event == XMLStreamConstants.START_ELEMENT) {
                    Element root = element(reader, 1);
                    readToEnd(reader);
                    return root;
                }
            }
            throw new MalformedMessageException("the message has no element");
        }

        private static void readToEnd(XMLStreamReader reader) throws XMLStreamException {
            while (reader.hasNext()) {
                reader.next();
            }
        }

        private Element element(XMLStreamReader reader, int depth)
                throws XMLStreamException, MalformedMessageException {
            if (depth > limits.levels()) {
                throw new MalformedMessageException("more than " + limits.levels() + " levels");
            }
            if (++elements > limits.elements()) {
                throw new MalformedMessageException("more than " + limits.elements() + " elements");
            }
            String name = reader.getLocalName();
            Map<String, String> attributes = attributes(reader);
            String text = "";
            @Nullable StringBuilder joined = null;
            List<Element> children = List.of();
            for (int event = reader.next();
                    event != XMLStreamConstants.END_ELEMENT;
                    event = reader.next()) {
                switch (event) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        if (children.isEmpty()) {
                            children = new ArrayList<>();
                        }
                        children.add(element(reader, depth + 1));
                    }
                    case XMLStreamConstants.CHARACTERS,
                            XMLStreamConstants.CDATA,
                            XMLStreamConstants.SPACE -> {
                        // Most texts come in one piece, with white space between elements.
                        if (text.isEmpty()) {
                            text = beginning(reader);
                        } else {
                            joined = joined == null ? new StringBuilder(text) : joined;
                            joined.append(reader.getText());
                        }
                    }
                    case XMLStreamConstants.ENTITY_REFERENCE ->
                            throw new MalformedMessageException("entities are not allowed");
                    default -> {
                        // Comments and processing instructions say nothing.
                    }
                }
            }
            String whole = joined == null ? text : joined.toString();
            return new Element(name, attributes, printable(whole).strip(), children);
        }

        /** A text without the white space before it; empty when it is nothing else. */
        private static String beginning(XMLStreamReader reader) {
            char[] chars = reader.getTextCharacters();
            int from = reader.getTextStart();
            int end = from + reader.getTextLength();
            while (from < end && SPACE.indexOf(chars[from]) >= 0) {
                from++;
            }
            return from == end ? "" : new String(chars, from, end - from);
        }

        private Map<String, String> attributes(XMLStreamReader reader)
                throws MalformedMessageException {
            int count = reader.getAttributeCount();
            if (count == 0) {
                return Map.of();
            }
            if (count > limits.attributes()) {
                throw new MalformedMessageException(
                        "more than " + limits.attributes() + " attributes");
            }
            if (count == 1) {
                return Map.of(
                        reader.getAttributeLocalName(0), printable(reader.getAttributeValue(0)));
            }
            Map<String, String> attributes = new LinkedHashMap<>();
            for (int i = 0; i < count; i++) {
                attributes.put(
                        reader.getAttributeLocalName(i), printable(reader.getAttributeValue(i)));
            }
            return attributes;
        }

        /**
         * XML 1.1 lets control characters in by reference; an answer in XML 1.0 cannot hold them.
         */
        private static String printable(String text) throws MalformedMessageException {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c < ' ' && c != '\n' && c != '\r' && c != '\t') {
                    throw new MalformedMessageException("control characters are not allowed");
                }
            }
            return text;
        }
    }
}
