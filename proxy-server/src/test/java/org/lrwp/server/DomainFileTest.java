package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

import java.nio.file.Files;
import java.nio.file.Path;

import javax.xml.parsers.DocumentBuilderFactory;

final class DomainFileTest {
    @TempDir private Path folder = Path.of("unset");

    @Test
    void valuesOfTheCommandLineStandInTheFile() throws Exception {
        Document domain = written(new DomainFile(7, true));

        Element pool = only(domain, "thread-pool", "http-thread-pool");
        assertEquals("7", pool.getAttribute("min-thread-pool-size"));
        assertEquals("7", pool.getAttribute("max-thread-pool-size"));
        Element http = (Element) domain.getElementsByTagName("http").item(0);
        assertEquals("true", http.getAttribute("http2-enabled"));
        assertEquals(
                http.getAttribute("header-buffer-length-bytes"),
                http.getAttribute("http2-max-header-list-size-in-bytes"));
    }

    @Test
    void nothingIsLeftToFillIn() throws Exception {
        Path file = new DomainFile(1, false).writeTo(folder);

        String text = Files.readString(file);

        assertFalse(text.replace("${com.sun.aas.instanceRoot}", "").contains("{"), text);
    }

    @Test
    void theOnlyPortIsOnLoopbackAndNobodyKnowsIt() throws Exception {
        Document domain = written(new DomainFile(1, false));

        assertEquals(1, domain.getElementsByTagName("network-listener").getLength());
        Element listener = only(domain, "network-listener", "http-listener");
        assertEquals("127.0.0.1", listener.getAttribute("address"));
        assertEquals("0", listener.getAttribute("port"));
        assertEquals(0, domain.getElementsByTagName("iiop-listener").getLength());
        assertEquals(0, domain.getElementsByTagName("jmx-connector").getLength());
    }

    private Document written(DomainFile domain) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(domain.writeTo(folder).toFile());
    }

    private static Element only(Document domain, String tag, String name) {
        var found = domain.getElementsByTagName(tag);
        for (int i = 0; i < found.getLength(); i++) {
            if (found.item(i) instanceof Element element
                    && element.getAttribute("name").equals(name)) {
                return element;
            }
        }
        throw new AssertionError("no " + tag + " named " + name);
    }
}
