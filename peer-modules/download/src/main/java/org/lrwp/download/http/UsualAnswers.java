package org.lrwp.download.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.lrwp.download.file.Found;
import org.lrwp.sdk.RequestHead;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Answers to requests for files. The one that almost every request gets, the whole file with no
 * condition, is made once for each look at the file. Thread-safe.
 */
public final class UsualAnswers {
    /** What changes the answer; a coding counts only where there is a choice of them. */
    private static final List<String> UNUSUAL =
            List.of(
                    "Range",
                    "If-None-Match",
                    "If-Modified-Since",
                    "If-Match",
                    "If-Unmodified-Since");

    private final FileAnswer.Style style;
    private final InstantSource clock;
    private final Cache<Found.File, FileAnswer> made =
            Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();

    /**
     * Creates answers of a style.
     *
     * @param style how files are sent
     * @param clock the time that the answers' Date is taken from
     */
    public UsualAnswers(FileAnswer.Style style, InstantSource clock) {
        this.style = style;
        this.clock = clock;
    }

    /**
     * Decides what to answer.
     *
     * @param request its method is GET or HEAD
     * @param file what was asked for; the same object for as long as one look counts
     * @return the answer
     */
    public FileAnswer of(RequestHead request, Found.File file) {
        Instant now = clock.instant();
        // What is said of a file from the future changes with the time.
        if (!isUsual(request, file) || file.plain().modified().isAfter(now)) {
            return FileAnswerMaker.of(request, file, style, now);
        }
        FileAnswer known = made.getIfPresent(file);
        if (known == null) {
            known = FileAnswerMaker.of(request, file, style, now);
            made.put(file, known);
        }
        return known;
    }

    private static boolean isUsual(RequestHead request, Found.File file) {
        if (!request.method().equals("GET")
                || !request.query().isEmpty()
                || (!file.coded().isEmpty() && request.header("Accept-Encoding") != null)) {
            return false;
        }
        for (String name : UNUSUAL) {
            if (request.header(name) != null) {
                return false;
            }
        }
        return true;
    }
}
