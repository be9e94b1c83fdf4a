package org.lrwp.webapp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;

final class WebFilesTest {
    @TempDir private Path folder;

    private WebFiles files() throws Exception {
        Files.writeString(folder.resolve("index.html"), "welcome");
        Files.createDirectory(folder.resolve("pictures"));
        Files.createDirectory(folder.resolve("WEB-INF"));
        return WebFiles.of(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/index.html",
                "/pictures",
                "/pictures/none.png",
                "//x",
                "/x;v=1",
                "/a\\b",
                "/\u00e4",
                "/%41",
                "*",
                "/a\u0000"
            })
    void whatMayBeThereIsTheContainers(String path) throws Exception {
        assertTrue(files().test(path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/index.htm",
                "/app",
                "/app/pictures",
                "/INDEX.HTML",
                "/.env",
                "/a+b~c",
                "/WEB-INF/web.xml"
            })
    void whatIsNotThereIsNobodys(String path) throws Exception {
        assertFalse(files().test(path));
    }

    @Test
    void whatComesLaterIsNotSeen() throws Exception {
        WebFiles before = files();

        Files.writeString(folder.resolve("late.html"), "late");

        assertFalse(before.test("/late.html"));
    }
}
