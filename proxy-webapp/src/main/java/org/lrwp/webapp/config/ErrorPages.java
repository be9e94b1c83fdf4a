package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.FileFault;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Pages of one's own for the errors of the proxy, as they were when they were read.
 *
 * @param people pages of HTML and text, by status, by class (4, 5) and {@link ErrorPageFile#ALL}
 * @param programs pages of JSON, in the same way
 */
public record ErrorPages(Map<Integer, ErrorPage> people, Map<Integer, ErrorPage> programs) {
    private static final int FIRST_ERROR = 400;

    /** All errors are as the proxy writes them. */
    public static final ErrorPages NONE = new ErrorPages(Map.of(), Map.of());

    /** Copies the maps. */
    public ErrorPages {
        people = Map.copyOf(people);
        programs = Map.copyOf(programs);
    }

    /**
     * Looks for the page of an error.
     *
     * @param status HTTP status
     * @param json whether the client asks for JSON
     * @return that of the status, of its class, or of all; null when there is none
     */
    public @Nullable ErrorPage find(int status, boolean json) {
        Map<Integer, ErrorPage> pages = json ? programs : people;
        if (pages.isEmpty() || status < FIRST_ERROR) {
            return null;
        }
        ErrorPage own = pages.get(status);
        ErrorPage page = own == null ? pages.get(ErrorPageFile.classOf(status)) : own;
        return page == null ? pages.get(ErrorPageFile.ALL) : page;
    }

    /**
     * Reads pages.
     *
     * @param files which they are
     * @param limit bytes of each, at most
     * @param faults told of each that cannot be used
     */
    static ErrorPages read(List<ErrorPageFile> files, long limit, Consumer<String> faults) {
        if (files.isEmpty()) {
            return NONE;
        }
        Map<Integer, ErrorPage> people = new HashMap<>();
        Map<Integer, ErrorPage> programs = new HashMap<>();
        for (ErrorPageFile file : files) {
            String text = text(file.file(), limit, faults);
            boolean program = file.kind() == ErrorPage.Kind.JSON;
            (program ? programs : people).put(file.errors(), ErrorPage.parse(file.kind(), text));
        }
        return new ErrorPages(people, programs);
    }

    private static String text(Path file, long limit, Consumer<String> faults) {
        try {
            long size = Files.size(file);
            if (Files.isRegularFile(file) && size <= limit) {
                byte[] bytes = Files.readAllBytes(file);
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString();
            }
            faults.accept(
                    Files.isRegularFile(file)
                            ? file + " has " + size + " bytes, at most " + limit + " are allowed"
                            : file + " is no file");
        } catch (CharacterCodingException e) {
            faults.accept(file + " is not UTF-8");
        } catch (IOException e) {
            faults.accept(file + " cannot be read: " + FileFault.reason(e));
        }
        return "";
    }
}
