package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Pages of one's own for errors, as the proxy's file names them. */
class ErrorPagesTest {
    @TempDir Path folder;

    private Path page(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private ConfigReader.Opened open(String... lines) throws Exception {
        Files.write(folder.resolve("lrwp.properties"), List.of(lines));
        return ConfigReader.open(Map.of(), Map.of(), folder, "1");
    }

    private static String filled(ConfigReader.Opened opened, String context, int status) {
        ErrorPages pages = opened.live().get().request().traffic().of(context).errors();
        ErrorPage page = pages.find(status, false);
        return page == null ? "none" : page.fill(field -> "");
    }

    @Test
    void theStatusItselfGoesBeforeItsClassAndThatBeforeAll() throws Exception {
        Path a = page("a.html", "a");
        Path b = page("b.txt", "b");
        Path c = page("c.html", "c");
        ConfigReader.Opened opened =
                open("context.error-pages = 503 " + a + ", 5xx " + b + ", all " + c);

        assertEquals("a", filled(opened, "/x", 503));
        assertEquals("b", filled(opened, "/x", 504));
        assertEquals("c", filled(opened, "/x", 404));
        assertEquals("none", filled(opened, "/x", 308));
    }

    @Test
    void aContextHasPagesOfItsOwnAndAChangeTakesEffectAtOnce() throws Exception {
        Path a = page("a.html", "a");
        Path b = page("b.html", "b");
        ConfigReader.Opened opened = open("context./osp.error-pages = 503 " + a);
        assertEquals("a", filled(opened, "/osp", 503));
        assertEquals("none", filled(opened, "/x", 503));

        Files.write(
                folder.resolve("lrwp.properties"), List.of("context./osp.error-pages = 503 " + b));
        opened.configuration().readFile();

        assertEquals("b", filled(opened, "/osp", 503));
    }

    @Test
    void aPageThatCannotBeUsedIsAFaultThatNamesItAndTheLimit() throws Exception {
        Path large = page("large.html", "x".repeat(101));
        Path binary = folder.resolve("binary.html");
        Files.write(binary, new byte[] {(byte) 0xff});

        var fault =
                assertThrows(
                        BadConfigurationException.class,
                        () ->
                                open(
                                        "error-page.limit = 100",
                                        "context.error-pages = 503 " + large + ", 504 " + binary,
                                        "context./osp.error-pages = all "
                                                + folder.resolve("none.html")));

        String all = String.join("\n", fault.faults());
        assertTrue(
                all.contains("context.error-pages: " + large + " has 101 bytes, at most 100"), all);
        assertTrue(all.contains(binary + " is not UTF-8"), all);
        assertTrue(all.contains("context./osp.error-pages: "), all);
        assertTrue(all.contains("none.html cannot be read"), all);
    }

    @Test
    void aRefusedChangeKeepsTheOldPage() throws Exception {
        Path a = page("a.html", "a");
        ConfigReader.Opened opened = open("context.error-pages = all " + a);
        Files.write(
                folder.resolve("lrwp.properties"),
                List.of("context.error-pages = all " + folder.resolve("none.html")));

        assertThrows(BadConfigurationException.class, () -> opened.configuration().readFile());

        assertEquals("a", filled(opened, "/x", 503));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "503",
                "200 a.html",
                "6xx a.html",
                "503 a.exe",
                "503 a.html, 503 b.txt",
                "503  ",
                "503a.html"
            })
    void aListThatIsNoneIsRefused(String list) {
        assertThrows(
                IllegalArgumentException.class,
                () -> ErrorPageFile.parse(List.of(list.split(",", -1))));
    }

    @Test
    void pagesForPeopleAndForProgramsStandBesideEachOther() throws IOException {
        page("a.html", "a");
        page("b.json", "{}");
        List<ErrorPageFile> files =
                ErrorPageFile.parse(
                        List.of(
                                "all " + folder.resolve("a.html"),
                                "all " + folder.resolve("b.json")));

        ErrorPages pages =
                ErrorPages.read(
                        files,
                        100,
                        fault -> {
                            throw new IllegalStateException(fault);
                        });

        assertNotNull(pages.find(500, false));
        assertNotNull(pages.find(500, true));
        assertNull(ErrorPages.NONE.find(500, true));
    }
}
