package org.lrwp.webapp.edge;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.Authority;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.Framing;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;

/**
 * Writes a request's head again, so that the container cannot read it in another way: a path as
 * target, one Host, one blank behind each colon, one length.
 */
final class CanonicalHead {
    private CanonicalHead() {}

    /**
     * Adds a head to a text.
     *
     * @param upgrade whether the wish for another protocol, if there is one, is left in it
     */
    static HeadText write(RequestHead head, boolean upgrade, HeadText text) {
        HttpHead bytes = head.bytes();
        Authority absolute = head.target().authority();
        text.add(head.method()).add(" ");
        if (absolute == null) {
            add(text, bytes, bytes.target());
        } else {
            text.add(pathOf(head.target().raw()));
        }
        text.add(" ").add(head.protocol()).add("\r\n");
        if (absolute != null) {
            text.add("Host: ").add(absolute.host());
            text.add(absolute.port() < 0 ? "" : ":" + absolute.port()).add("\r\n");
        }
        for (int i = 0; i < bytes.fields(); i++) {
            KnownField known = bytes.known(i);
            if (!isLeftOut(known, absolute != null, upgrade)) {
                add(text, bytes, bytes.name(i));
                text.add(": ");
                add(text, bytes, bytes.value(i));
                text.add("\r\n");
            }
        }
        if (!upgrade) {
            addConnection(bytes, text);
        }
        if (bytes.framing() == Framing.CHUNKED) {
            text.add("Transfer-Encoding: chunked\r\n");
        } else if (bytes.find(KnownField.CONTENT_LENGTH) >= 0) {
            text.add("Content-Length: ").add(Long.toString(bytes.bodyLength())).add("\r\n");
        }
        return text.add("\r\n");
    }

    private static boolean isLeftOut(
            @Nullable KnownField known, boolean absolute, boolean upgrade) {
        if (known == null) {
            return false;
        }
        return switch (known) {
            case CONTENT_LENGTH, TRANSFER_ENCODING -> true;
            case HOST -> absolute;
            case CONNECTION, UPGRADE, HTTP2_SETTINGS -> !upgrade;
            default -> false;
        };
    }

    /** Only whether the connection goes on is of interest behind this hop. */
    private static void addConnection(HttpHead bytes, HeadText text) {
        if (!bytes.isLasting()) {
            text.add("Connection: close\r\n");
        } else if (bytes.minorVersion() == 0) {
            text.add("Connection: keep-alive\r\n");
        }
    }

    private static void add(HeadText text, HttpHead bytes, int range) {
        text.add(bytes.bytes(), HttpHead.start(range), HttpHead.end(range));
    }

    /** Path and query of an absolute target. */
    private static String pathOf(String raw) {
        int start = raw.indexOf("//") + 2;
        while (start < raw.length() && raw.charAt(start) != '/' && raw.charAt(start) != '?') {
            start++;
        }
        String rest = raw.substring(start);
        return rest.startsWith("/") ? rest : "/" + rest;
    }
}
