package org.lrwp.webapp.https;

import java.io.Serial;

/** A certificate or key cannot be used; the message is a sentence that names the file. */
public final class BadCertificateException extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    BadCertificateException(String sentence) {
        super(sentence);
    }
}
