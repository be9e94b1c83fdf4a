package org.lrwp.download.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.download.file.Found;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;

class NamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip                   | GZIP",
                "gzip, br               | BROTLI",
                "gzip, br, zstd         | ZSTD",
                "br;q=0.5, gzip;q=0.8   | GZIP",
                "gzip;q=0               | ",
                "*                      | ZSTD",
                "*;q=0.5, gzip;q=1.0    | GZIP",
                "identity               | ",
                "identity;q=0.1, gzip   | GZIP",
                "identity, gzip;q=0.5   | ",
                "x-gzip                 | GZIP",
                "deflate                | ",
                "gzip;level=1           | GZIP",
            })
    void codingIsWhatTheClientLikesBest(String header, Coding expected) {
        assertEquals(expected, Coding.choose(header, EnumSet.allOf(Coding.class)));
    }

    @Test
    void fileItselfIsSentWhereThereIsNoOtherOrNobodyAsks() {
        assertEquals(null, Coding.choose("gzip", EnumSet.noneOf(Coding.class)));
        assertEquals(null, Coding.choose(null, EnumSet.allOf(Coding.class)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "report.pdf  | attachment; filename=\"report.pdf\"",
                "a \"b\".txt | attachment; filename=\"a _b_.txt\";"
                        + " filename*=UTF-8''a%20%22b%22.txt",
                "Grüße.txt   | attachment; filename=\"Gr__e.txt\";"
                        + " filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt",
            })
    void nameForSavingIsWrittenForOldAndNewClients(String name, String expected) {
        assertEquals(expected, ContentName.disposition("attachment", name));
    }

    @Test
    void typesComeFromTheNameAndFromTheUsersTable() {
        ContentTypes types = ContentTypes.usual().with("# mine\napplication/x-own own txt;\n");

        assertEquals("text/html; charset=utf-8", types.of("a.HTML"));
        assertEquals("application/x-own", types.of("a.own"));
        assertEquals("application/x-own", types.of("a.txt"));
        assertEquals("application/octet-stream", types.of("README"));
        assertEquals("application/octet-stream", types.of("a.unheard"));
    }

    private static Found.Entry entry(String name, boolean folder, long size) {
        return new Found.Entry(name, folder, size, Instant.ofEpochSecond(size));
    }

    @Test
    void listingIsSortedAndEscaped() {
        Found.Folder folder =
                new Found.Folder(
                        "<x>",
                        List.of(
                                entry("b", false, 1),
                                entry("a&\"'", false, 2),
                                entry("z", true, 0),
                                entry("javascript:x", false, 3)),
                        true,
                        true);

        String byName = Listing.page(folder, "");
        String bySize = Listing.page(folder, "sort=size&order=desc");
        String byTime = Listing.page(folder, "sort=time");

        assertFalse(byName.contains("<x>"), byName);
        assertTrue(byName.contains("&lt;x&gt;"), byName);
        assertTrue(byName.contains("href=\"./javascript%3Ax\""), byName);
        assertTrue(byName.contains("href=\"./a%26%22%27\">a&amp;&quot;&#39;</a>"), byName);
        assertTrue(byName.indexOf(">z/<") < byName.indexOf(">a&amp;"), "folders come first");
        assertTrue(byName.indexOf(">a&amp;") < byName.indexOf(">b<"), byName);
        assertTrue(byName.contains("?sort=name&amp;order=desc"), byName);
        assertTrue(bySize.indexOf(">a&amp;") < bySize.indexOf(">b<"), bySize);
        assertTrue(byTime.indexOf(">b<") < byTime.indexOf(">a&amp;"), byTime);
        assertTrue(byName.contains("../"), byName);
        assertFalse(byName.contains("There are more"), byName);
        assertFalse(Listing.page(new Found.Folder("", List.of(), true, true), "").contains("../"));
    }

    @Test
    void listingThatIsCutSaysSo() {
        var cut = new Found.Folder("x", List.of(entry("a", false, 1)), false, true);

        String page = Listing.page(cut, "");

        assertTrue(page.contains("<p>There are more: only 1 names are listed.</p>"), page);
    }
}
