package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.webapp.servlet.ClientFixture.head;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.engine.spool.Spool;
import org.lrwp.webapp.files.SendEnd;
import org.lrwp.webapp.files.SendListener;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Answers that are made of parts of files. */
class LentAnswerTest {
    private ClientFixture one;

    @BeforeEach
    void setUp(@TempDir Path folder) throws IOException {
        one = new ClientFixture(folder);
    }

    @AfterEach
    void tearDown() {
        one.close();
    }

    private record Part(long length) implements FilePart {
        @Override
        public long transferTo(long from, long most, WritableByteChannel target) {
            throw new AssertionError("nobody sends in the client's turns");
        }
    }

    private Spool answer(long length, long... parts) {
        var client = one.client(0);
        one.start(client);
        Spool spool = one.spool();
        client.answer(head(length), spool);
        for (long part : parts) {
            spool.files().add(new Part(part));
        }
        return spool;
    }

    private SendListener sending() {
        return Objects.requireNonNull(one.link.sending);
    }

    @Test
    void partsAreSentOneAfterTheOtherBehindTheHead() {
        Spool spool = answer(300, 100, 200);
        spool.complete();

        assertEquals(1, one.out.flushes);
        assertEquals(List.of("prepare Fine", "file 100"), one.link.events);
        sending().sent(60);
        sending().sent(40);
        assertEquals(List.of("prepare Fine", "file 100"), one.link.events);
        sending().ended(SendEnd.WHOLE);
        assertEquals(List.of("prepare Fine", "file 100", "file 200"), one.link.events);
        assertFalse(one.isOver());
        sending().sent(200);
        sending().ended(SendEnd.WHOLE);

        assertTrue(one.isOver());
        assertFalse(one.link.isCut());
        assertEquals(300, one.log.getFirst().answerBytes());
        assertEquals(0, one.out.size());
    }

    @Test
    void partThatComesLaterIsSentThen() {
        Spool spool = answer(300, 100);
        sending().sent(100);
        sending().ended(SendEnd.WHOLE);
        assertFalse(one.isOver());
        spool.files().add(new Part(200));
        assertEquals(List.of("prepare Fine", "file 100", "file 200"), one.link.events);
    }

    @Test
    void clientThatIsGoneEndsTheAnswerWithWhatWasSent() {
        answer(300, 300);
        sending().sent(50);
        sending().ended(SendEnd.GONE);

        assertTrue(one.link.isCut());
        assertTrue(one.isOver());
        assertEquals(50, one.log.getFirst().answerBytes());
    }

    @Test
    void fileThatIsGivenUpCutsTheConnectionWhenItsOwnerBreaksOff() {
        Spool spool = answer(300, 300);
        sending().sent(50);
        sending().ended(SendEnd.GIVEN_UP);
        assertFalse(one.isOver());
        spool.breakOff();

        assertTrue(one.link.events.contains("close"));
        assertTrue(one.isOver());
    }

    @Test
    void answerThatIsBrokenOffIsCutWhileAPartIsSent() {
        Spool spool = answer(300, 300);
        spool.breakOff();

        assertTrue(one.link.events.contains("close"));
        assertTrue(one.isOver());
        // What comes behind that reaches nobody.
        sending().sent(10);
        sending().ended(SendEnd.GONE);
        assertEquals(1, one.log.size());
    }

    @Test
    void clientThatTakesNothingOfAFileIsCutAfterTheStallTime() {
        one.link.pending = 300;
        answer(300, 300);
        one.passSeconds(40);
        one.link.pending = 200;
        sending().sent(100);
        one.passSeconds(59);
        assertFalse(one.isOver());
        one.passSeconds(3);

        assertTrue(one.link.events.contains("reset"));
        assertTrue(one.isOver());
        assertEquals(100, one.log.getFirst().answerBytes());
    }
}
