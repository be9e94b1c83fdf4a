package org.lrwp.webapp.console;

/**
 * A column of a table.
 *
 * @param name its head
 * @param style class of its cells in the style sheet; empty for none
 */
record Column(String name, String style) {
    /** One of single words, which stay whole. */
    static Column word(String name) {
        return new Column(name, "word");
    }

    /** One of words. */
    static Column of(String name) {
        return new Column(name, "");
    }

    /** One of long words, which may be broken anywhere. */
    static Column wide(String name) {
        return new Column(name, "wide");
    }

    /** One of numbers, which are compared digit by digit. */
    static Column number(String name) {
        return new Column(name, "n");
    }

    /** One of buttons. */
    static Column acts() {
        return new Column("Actions", "acts");
    }
}
