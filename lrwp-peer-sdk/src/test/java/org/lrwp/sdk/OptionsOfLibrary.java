package org.lrwp.sdk;

import org.lrwp.protocol.LengthField;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** What the sources of a library have as options, in the order of the columns of the table. */
enum OptionsOfLibrary {
    /** The builder, and what its certificates are made of. */
    JAVA(0, "[a-z][A-Za-z]*") {
        @Override
        void collect(Found found) {
            String builder = read("lrwp-peer-sdk/src/main/java/org/lrwp/sdk/PeerBuilder.java");
            String tls = read("lrwp-peer-sdk/src/main/java/org/lrwp/sdk/tls/PeerTls.java");
            found.add(builder, "public PeerBuilder (\\w+)\\(");
            for (MatchResult hit : hits(builder, "PeerBuilder identity\\([^,]+,([^)]+)\\)")) {
                found.add(hit.group(1), "(\\w+)(?:,|$)");
            }
            for (MatchResult hit : hits(tls, "public (?:static )?PeerTls \\w+\\(([^)]+)\\)")) {
                found.add(hit.group(1), "(\\w+)(?:,|$)");
            }
            found.setDefaults(builder, "private [^;=(]+ (\\w+) = ([^;]+);");
            for (MatchResult hit :
                    hits(builder, "ProxyAddress\\((\"[\\d.]+\"), ProxyAddress.DEFAULT_PORT")) {
                found.options.put("proxy", value(hit.group(1)) + ":" + ProxyAddress.DEFAULT_PORT);
            }
        }
    },
    /** The constructor, and what its certificates are made of. */
    PYTHON(1, "[a-z_]+") {
        @Override
        void collect(Found found) {
            String source = read("peers/python/lrwp.py");
            String peer = source.substring(source.indexOf("\nclass Peer:"));
            String signature = part(peer, "def __init__\\(self, ([^)]+)\\)");
            found.add(signature, "(?:^|,\\s*)([a-z_]+)");
            found.setDefaults(signature, "(\\w+)=([^,]+)");
            found.add(part(source, "def trust\\(([^)]+)\\)"), "(?:^|,\\s*)([a-z_]+)");
        }
    },
    /** The defaults of a peer, and what serve takes besides. */
    JAVASCRIPT(2, "[a-z][A-Za-z]*") {
        @Override
        void collect(Found found) {
            String defaults =
                    part(read("peers/javascript/lrwp.mjs"), "const DEFAULTS = \\{(.+?)\\};");
            found.add(defaults, "(\\w+): ");
            found.setDefaults(defaults, "(\\w+): ('[^']*'|\\w+)");
            found.add(
                    read("peers/javascript/serve.mjs"),
                    "const \\{ (\\w+) = false, \\.\\.\\.rest \\} = options");
        }
    },
    /** The structure, and what its certificates are made of. */
    GO(3, "[A-Za-z]+") {
        @Override
        void collect(Found found) {
            String source = read("peers/go/lrwp.go");
            String structure = part(source, "type Options struct \\{\n(.+?)\n\\}");
            for (MatchResult line : hits(structure, "(?m)^\t([A-Z]\\w*(?:, [A-Z]\\w*)*) ")) {
                found.add(line.group(1), "(\\w+)");
            }
            found.add(part(source, "func Trust\\(([^)]+) string\\)"), "(\\w+)");
            found.setDefaults(
                    read("peers/go/options.go"),
                    "if o\\.\\w+ == (?:0|\"\") \\{\\s+o\\.(\\w+) = ([^\n]+)");
        }
    },
    /** The structure. */
    C(4, "[a-z_]+") {
        @Override
        void collect(Found found) {
            String all =
                    part(
                            read("peers/c/lrwp.h"),
                            "typedef struct lrwp_options \\{(.+?)\n\\} lrwp_options");
            for (String member : all.replaceAll("(?s)/\\*.*?\\*/", "").split(";", -1)) {
                boolean call = member.contains("(*");
                found.add(member.strip(), call ? "\\(\\*(\\w+)\\)\\(" : "(\\w+)(?:,|$)");
            }
            found.setDefaults(
                    read("peers/c/lrwp.c"),
                    "o->(\\w+) = o->\\w+ (?:> 0|!= NULL) \\? o->\\w+ : ([^;]+);");
        }
    },
    /** The options of the program; a default that depends on the command stands in its text. */
    CONNECT(5, "--[a-z-]+") {
        @Override
        void collect(Found found) {
            String source = read("peers/go/internal/connect/options.go");
            String table =
                    source.substring(source.indexOf("\nvar options = "))
                            .replace("{name: \"", "{name: \"--");
            found.add(table, "\\{name: \"(--[a-z-]+)\"");
            found.setDefaults(table, "\\{name: \"(--[a-z-]+)\"[^\n]* standard: (\"[^\"]*\")");
            found.setDefaults(
                    table,
                    "\\{name: \"(--[a-z-]+)\"[^\n"
                            + "]*\\s+text: \"[^\"]+; (\\d+, and \\d+ for [a-z ]+)\"");
        }
    };

    private static final Path ROOT = Path.of("..");

    /** Which of the table's libraries it is, from 0. */
    final int column;

    /** How the names of this language are written. */
    final Pattern style;

    OptionsOfLibrary(int column, String style) {
        this.column = column;
        this.style = Pattern.compile(style);
    }

    abstract void collect(Found found);

    /** Returns the names with their defaults, which are empty for none, nothing and false. */
    Map<String, String> options() {
        Found found = new Found(new TreeMap<>());
        collect(found);
        return found.options;
    }

    /** What has been found so far. */
    record Found(Map<String, String> options) {
        void add(String text, String pattern) {
            hits(text, pattern).forEach(hit -> options.putIfAbsent(hit.group(1), ""));
        }

        void setDefaults(String text, String pattern) {
            for (MatchResult hit : hits(text, pattern)) {
                options.computeIfPresent(hit.group(1), (name, before) -> value(hit.group(2)));
            }
        }
    }

    /** A default as the table has it: without quotes, a product as a number. */
    static String value(String expression) {
        String text =
                expression
                        .strip()
                        .replaceAll("(?<=\\d)_(?=\\d)", "")
                        .replaceAll("^b(?=[\"'])|[\"']| \\+ ", "")
                        .replace("LengthField.MAX_VALUE", "" + LengthField.MAX_VALUE);
        if (text.matches("(?i)null|none|false|UpgradeNames\\.NONE")) {
            return "";
        }
        if (text.matches("\\d+( \\* \\d+)+")) {
            LongStream factors = Arrays.stream(text.split(" \\* ", -1)).mapToLong(Long::parseLong);
            return "" + factors.reduce(1, Math::multiplyExact);
        }
        return text;
    }

    static String read(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static String part(String text, String pattern) {
        return hits(text, "(?s)" + pattern).get(0).group(1);
    }

    static List<MatchResult> hits(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().toList();
    }
}
