package org.lrwp.osp.message;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes elements as XML documents in UTF-8. Stateless, any thread may call it. */
public final class ElementWriter {
    private static final XMLOutputFactory FACTORY = factory();

    private ElementWriter() {}

    /**
     * Writes a document.
     *
     * @param root the document's element
     * @return its octets; they begin with {@code <?xml}
     */
    public static byte[] write(Element root) {
        StringWriter text = new StringWriter(1_024);
        try {
            XMLStreamWriter writer = FACTORY.createXMLStreamWriter(text);
            writer.writeStartDocument("1.0");
            write(root, writer);
            writer.writeEndDocument();
            writer.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("a string cannot fail to be written", impossible);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static XMLOutputFactory factory() {
        XMLOutputFactory factory = XMLOutputFactory.newFactory();
        factory.setProperty("com.ctc.wstx.outputValidateStructure", false);
        return factory;
    }

    private static void write(Element element, XMLStreamWriter writer) throws XMLStreamException {
        boolean empty = element.text().isEmpty() && element.children().isEmpty();
        if (empty) {
            writer.writeEmptyElement(element.name());
        } else {
            writer.writeStartElement(element.name());
        }
        for (Map.Entry<String, String> attribute : element.attributes().entrySet()) {
            writer.writeAttribute(attribute.getKey(), attribute.getValue());
        }
        if (empty) {
            return;
        }
        writer.writeCharacters(element.text());
        for (Element child : element.children()) {
            write(child, writer);
        }
        writer.writeEndElement();
    }
}
