package org.lrwp.webapp.servlet;

import jakarta.servlet.http.HttpServletResponse;

import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.client.DateField;
import org.lrwp.webapp.client.ErrorAnswer;
import org.lrwp.webapp.client.SecureAccess;

import java.io.IOException;

/** Sets heads of answers by the Servlet API, and what the container can do better. */
final class ResponseFields {
    private static final int RESET_CONTENT = 205;

    private ResponseFields() {}

    /** Sets status, fields and length. */
    static void set(HttpServletResponse response, ContainerLink link, AnswerHead head) {
        response.setStatus(head.status());
        link.prepareAnswer(head.reason());
        if (head.status() == RESET_CONTENT) {
            // GlassFish sends neither length nor body with it, so only the end tells the end.
            response.setHeader("Connection", "close");
        }
        for (HeaderField field : head.fields()) {
            String name = field.name();
            if (isReplaced(name)) {
                response.setHeader(name, field.value());
            } else if (name.equalsIgnoreCase("Content-Type")
                    || !link.addBytes(name, field.value())) {
                response.addHeader(name, field.value());
            }
        }
        if (head.contentLength() >= 0) {
            response.setContentLengthLong(head.contentLength());
        }
    }

    /** Sets the date, unless there is one. */
    static void setDate(HttpServletResponse response, ContainerLink link, DateField date) {
        if (!link.setDate(date.text()) && !response.containsHeader("Date")) {
            response.setHeader("Date", date.text());
        }
    }

    /** Fields that are set already, or that the container looks at. */
    private static boolean isReplaced(String name) {
        return name.equalsIgnoreCase("Date")
                || name.equalsIgnoreCase("Connection")
                || name.equalsIgnoreCase(SecureAccess.FIELD);
    }

    /** Writes a whole error within the servlet. */
    static void write(HttpServletResponse response, ErrorAnswer.Whole error) throws IOException {
        response.setStatus(error.head().status());
        for (HeaderField field : error.head().fields()) {
            response.setHeader(field.name(), field.value());
        }
        response.setContentLengthLong(error.head().contentLength());
        response.getOutputStream().write(error.body().array());
    }
}
