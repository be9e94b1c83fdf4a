package org.lrwp.osp.message;

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
    private static final int MAX_DEPTH = 16;
    private static final int MAX_ELEMENTS = 4_096;
    private static final int MAX_ATTRIBUTES = 16;
    private static final int MAX_COMPONENTS = 32;

    /** Creates a reader. */
    public MessageReader() {}

    /**
     * Reads a message.
     *
     * @param octets the whole message; the caller has limited its length
     * @return the message
     * @throws MalformedMessageException when it is not XML, not an OSP message, without a component
     *     or beyond a limit (16 levels, 4,096 elements, 16 attributes, 32 components)
     */
    public Message read(byte[] octets) throws MalformedMessageException {
        Element root = readTree(octets);
        if (!root.name().equals(Message.NAME)) {
            throw new MalformedMessageException(
                    "the document is not an OSP message: its root is not Message");
        }
        if (root.children().isEmpty()) {
            throw new MalformedMessageException("the message has no component");
        }
        if (root.children().size() > MAX_COMPONENTS) {
            throw new MalformedMessageException(
                    "the message has more than " + MAX_COMPONENTS + " components");
        }
        return new Message(root.attribute("messageId"), root.children());
    }

    private static Element readTree(byte[] octets) throws MalformedMessageException {
        String text = MessageText.decode(octets);
        try {
            XMLStreamReader reader = safeFactory().createXMLStreamReader(new StringReader(text));
            try {
                return new TreeBuilder().build(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException notXml) {
            throw new MalformedMessageException("the message is not well-formed XML", notXml);
        }
    }

    /** A factory of its own for each message: the JDK does not promise that one can be shared. */
    private static XMLInputFactory safeFactory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        // Clients send cisco.com:AuditSignal without declaring the prefix.
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        return factory;
    }

    /** Builds the tree of one document. */
    private static final class TreeBuilder {
        private int elements;

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
            if (depth > MAX_DEPTH) {
                throw new MalformedMessageException("more than " + MAX_DEPTH + " levels");
            }
            if (++elements > MAX_ELEMENTS) {
                throw new MalformedMessageException("more than " + MAX_ELEMENTS + " elements");
            }
            String name = reader.getLocalName();
            Map<String, String> attributes = attributes(reader);
            StringBuilder text = new StringBuilder();
            List<Element> children = new ArrayList<>();
            for (int event = reader.next();
                    event != XMLStreamConstants.END_ELEMENT;
                    event = reader.next()) {
                switch (event) {
                    case XMLStreamConstants.START_ELEMENT ->
                            children.add(element(reader, depth + 1));
                    case XMLStreamConstants.CHARACTERS,
                            XMLStreamConstants.CDATA,
                            XMLStreamConstants.SPACE ->
                            text.append(reader.getText());
                    case XMLStreamConstants.ENTITY_REFERENCE ->
                            throw new MalformedMessageException("entities are not allowed");
                    default -> {
                        // Comments and processing instructions say nothing.
                    }
                }
            }
            return new Element(name, attributes, printable(text.toString()).strip(), children);
        }

        private static Map<String, String> attributes(XMLStreamReader reader)
                throws MalformedMessageException {
            int count = reader.getAttributeCount();
            if (count > MAX_ATTRIBUTES) {
                throw new MalformedMessageException("more than " + MAX_ATTRIBUTES + " attributes");
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
