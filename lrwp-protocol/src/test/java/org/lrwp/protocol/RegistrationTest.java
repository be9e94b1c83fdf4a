package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;

class RegistrationTest {
    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void startupStringIsReadAsTheRegistrationThatWroteIt(ProtocolVersion version) {
        for (String application : List.of("osp", "", "/", "//x", "a/b", ".ext", "\u00e9 \u0000")) {
            for (String host : List.of("", "www.a.test")) {
                var registration = new Registration(version, application, host);
                var parser = new HelloParser();
                ByteBuffer startup = ByteBuffer.wrap(registration.encode());

                assertEquals(HelloParser.State.COMPLETE, parser.feed(startup));
                assertEquals(registration, parser.registration());
                assertEquals(0, startup.remaining());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00ff", "a\u00ffb", "\u20ac"})
    void nameThatCannotBeSentIsAMistakeOfTheCaller(String name) {
        var version = ProtocolVersion.LRWP_1;

        assertThrows(IllegalArgumentException.class, () -> new Registration(version, name, ""));
        assertThrows(IllegalArgumentException.class, () -> new Registration(version, "osp", name));
    }

    @Test
    void nameAboveTwoHundredBytesIsAMistakeOfTheCaller() {
        var version = ProtocolVersion.LRWP_2;
        String name = "a".repeat(Registration.MAX_COMPONENT + 1);

        var thrown =
                assertThrows(
                        IllegalArgumentException.class, () -> new Registration(version, name, ""));
        assertEquals("application has 201 bytes, the limit is 200", thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "osp, /osp",
        "osp/, /osp",
        "osp//, /osp",
        "/osp, /osp",
        "osp//sub/, /osp/sub",
        "'', /",
        "/, /",
        "//, /",
        "-/, /-",
        "/-//x, /-/x",
        ".ext, .ext",
        ".ext/, .ext",
        ".ext//, .ext",
        "/.ext, /.ext",
        ".a/b, .a/b",
    })
    void contextHasOneNameHoweverManySlashesWereSent(String application, String context) {
        var registration = new Registration(ProtocolVersion.LRWP_2, application, "");

        assertEquals(context, registration.context());
    }
}
