package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ResourceBundle;
import java.util.function.Consumer;

/** Hands on what is logged from INFO on, line by line; a failure with its trace. */
final class LineLogger implements System.Logger {
    private final Consumer<String> lines;

    LineLogger(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public String getName() {
        return "org.lrwp.sdk";
    }

    @Override
    public boolean isLoggable(Level level) {
        return level.compareTo(Level.INFO) >= 0;
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String message,
            @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            StringWriter text = new StringWriter();
            text.append(message);
            if (thrown != null) {
                text.append('\n');
                thrown.printStackTrace(new PrintWriter(text, true));
            }
            lines.accept(text.toString().stripTrailing());
        }
    }

    /** The listener's lines have no parameters. */
    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String format,
            @Nullable Object... parameters) {
        log(level, bundle, format, (Throwable) null);
    }
}
