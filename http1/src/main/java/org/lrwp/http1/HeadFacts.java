package org.lrwp.http1;

/**
 * What the fields of one head say about its body and its connection, collected while they are read:
 * RFC 9112 sections 3.2, 6 and 9.3, without the leniency that lets one request hide in another.
 */
final class HeadFacts {
    private static final byte[] CHUNKED = {'c', 'h', 'u', 'n', 'k', 'e', 'd'};
    private static final byte[] CLOSE = {'c', 'l', 'o', 's', 'e'};
    private static final byte[] KEEP_ALIVE = {'k', 'e', 'e', 'p', '-', 'a', 'l', 'i', 'v', 'e'};
    private static final int MOST_DIGITS = 18;
    private static final long NO_LENGTH = -1;

    private int minorVersion;
    private int hosts;
    private int types;
    private boolean chunked;
    private long length = NO_LENGTH;
    private boolean close;
    private boolean keepAlive;

    void reset() {
        minorVersion = 0;
        hosts = 0;
        types = 0;
        chunked = false;
        length = NO_LENGTH;
        close = false;
        keepAlive = false;
    }

    void version(int minor) {
        minorVersion = minor;
    }

    /** A field has been read to its end. */
    void field(KnownField name, byte[] source, int from, int to) throws MalformedRequestException {
        switch (name) {
            case HOST -> host(source, from, to);
            case CONTENT_TYPE -> types++;
            case CONTENT_LENGTH -> length(source, from, to);
            case TRANSFER_ENCODING -> coding(source, from, to);
            case CONNECTION -> options(source, from, to);
            default -> {}
        }
    }

    private void host(byte[] source, int from, int to) throws MalformedRequestException {
        hosts++;
        if (!Authority.isValid(source, from, to)) {
            throw bad("Host is not a host with or without a port");
        }
    }

    private void length(byte[] source, int from, int to) throws MalformedRequestException {
        if (length != NO_LENGTH) {
            throw bad("more than one Content-Length");
        }
        if (from == to || to - from > MOST_DIGITS) {
            throw bad("Content-Length is not a number of at most 18 digits");
        }
        long sum = 0;
        for (int i = from; i < to; i++) {
            int digit = source[i] - '0';
            if (digit < 0 || digit > 9) {
                throw bad("Content-Length is not a number of at most 18 digits");
            }
            sum = 10 * sum + digit;
        }
        length = sum;
    }

    /** RFC 9112 section 6.1: chunked is the last coding, and the only one known here. */
    private void coding(byte[] source, int from, int to) throws MalformedRequestException {
        if (chunked) {
            throw bad("more than one Transfer-Encoding");
        }
        boolean others = false;
        int start = from;
        while (start < to) {
            int end = elementEnd(source, start, to);
            int first = Ascii.skipBlanks(source, start, end);
            int last = Ascii.trimBlanks(source, first, end);
            if (chunked && last > first) {
                throw bad("chunked is not the last Transfer-Encoding");
            }
            if (Ascii.equalsLower(source, first, last, CHUNKED)) {
                chunked = true;
            } else {
                others |= last > first;
            }
            start = end + 1;
        }
        if (!chunked) {
            throw bad("chunked is not the last Transfer-Encoding");
        }
        if (others) {
            throw new MalformedRequestException(501, "Transfer-Encoding other than chunked");
        }
    }

    private void options(byte[] source, int from, int to) {
        int start = from;
        while (start < to) {
            int end = elementEnd(source, start, to);
            int first = Ascii.skipBlanks(source, start, end);
            int last = Ascii.trimBlanks(source, first, end);
            close |= Ascii.equalsLower(source, first, last, CLOSE);
            keepAlive |= Ascii.equalsLower(source, first, last, KEEP_ALIVE);
            start = end + 1;
        }
    }

    /** Where an element of a list ends; empty elements are ignored: RFC 9110 section 5.6.1.2. */
    private static int elementEnd(byte[] source, int from, int to) {
        int end = from;
        while (end < to && source[end] != ',') {
            end++;
        }
        return end;
    }

    /** All fields have been read: what they say together. */
    HttpHead.Facts judge(int method, int target) throws MalformedRequestException {
        if (hosts > 1) {
            throw bad("more than one Host");
        }
        if (hosts == 0 && minorVersion > 0) {
            throw bad("no Host");
        }
        if (types > 1) {
            throw bad("more than one Content-Type");
        }
        if (chunked && length != NO_LENGTH) {
            throw bad("Content-Length with Transfer-Encoding");
        }
        if (chunked && minorVersion == 0) {
            throw bad("Transfer-Encoding in HTTP/1.0");
        }
        Framing framing = chunked ? Framing.CHUNKED : length > 0 ? Framing.LENGTH : Framing.NONE;
        boolean lasting = !close && (minorVersion > 0 || keepAlive);
        return new HttpHead.Facts(
                method, target, minorVersion, framing, chunked ? -1 : Math.max(length, 0), lasting);
    }

    private static MalformedRequestException bad(String rule) {
        return new MalformedRequestException(400, rule);
    }
}
