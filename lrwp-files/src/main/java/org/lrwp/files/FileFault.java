package org.lrwp.files;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * What is wrong with a file, in words for people: many exceptions of the JDK have only its path for
 * a message. Any thread; may ask the disk for a folder.
 */
public final class FileFault {
    private FileFault() {}

    /**
     * Says what is wrong, for a sentence that has named the file.
     *
     * @param fault what reading or writing it has met
     * @return such as {@code permission denied}, never empty
     */
    public static String reason(IOException fault) {
        return switch (fault) {
            case NoSuchFileException missing -> missing(missing);
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "is there already";
            case NotDirectoryException _ -> "is no folder";
            case CharacterCodingException _ -> "is not UTF-8";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> {
                String said = fault.getMessage();
                yield said == null || said.isBlank() || fault instanceof FileSystemException
                        ? fault.getClass().getSimpleName()
                        : said;
            }
        };
    }

    /**
     * Says what is wrong, and with which file when the fault knows it.
     *
     * @param fault what reading or writing it has met
     * @return such as {@code /etc/key: permission denied}, never empty
     */
    public static String of(IOException fault) {
        return fault instanceof FileSystemException named && named.getFile() != null
                ? named.getFile() + ": " + reason(fault)
                : reason(fault);
    }

    /** A file that is to be made lacks its folder. */
    private static String missing(NoSuchFileException fault) {
        Path folder =
                fault.getFile() == null
                        ? null
                        : Path.of(fault.getFile()).toAbsolutePath().getParent();
        return folder == null || Files.exists(folder)
                ? "does not exist"
                : "the folder " + folder + " does not exist";
    }
}
