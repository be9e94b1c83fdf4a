package org.lrwp.download.http;

import java.nio.charset.StandardCharsets;

/** Names of files in headers and in links. */
final class ContentName {
    private static final String ATTRIBUTE = "!#$&+-.^_`|~";
    private static final String UNRESERVED = "-._~";

    private ContentName() {}

    /** Returns Content-Disposition: RFC 6266 section 4. */
    static String disposition(String type, String name) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            plain.append(c < ' ' || c > '~' || c == '"' || c == '\\' || c == '%' ? '_' : c);
        }
        String value = type + "; filename=\"" + plain + "\"";
        if (plain.toString().equals(name)) {
            return value;
        }
        return value + "; filename*=UTF-8''" + percent(name, ATTRIBUTE);
    }

    /** Returns one segment of a path for a link. */
    static String segment(String name) {
        return percent(name, UNRESERVED);
    }

    private static String percent(String name, String kept) {
        StringBuilder text = new StringBuilder();
        for (byte unit : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (unit & 0xFF);
            boolean plain =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (plain || kept.indexOf(c) >= 0) {
                text.append(c);
            } else {
                text.append('%').append(hex(c >> 4)).append(hex(c & 15));
            }
        }
        return text.toString();
    }

    private static char hex(int digit) {
        return "0123456789ABCDEF".charAt(digit);
    }

    /** Returns text for HTML. */
    static String html(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
