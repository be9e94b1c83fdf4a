package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A page of the documentation, whose blocks of code tests do; it knows which have not been. */
public final class Page {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");

    private record Block(String language, String text) {}

    private final String name;
    private final List<Block> blocks;
    private final List<Block> left;

    private Page(String name, List<Block> blocks) {
        this.name = name;
        this.blocks = blocks;
        this.left = new ArrayList<>(blocks);
    }

    /**
     * Reads a page.
     *
     * @param name its path from the root of the project
     */
    public static Page of(String name) throws IOException {
        String text = Files.readString(Project.root().resolve(name));
        return new Page(
                name,
                BLOCK.matcher(text)
                        .results()
                        .map(found -> new Block(found.group(1), found.group(2)))
                        .toList());
    }

    /** The block of commands that has a line with this beginning; from now on it counts as done. */
    public Recipe commands(String beginning) {
        return block("", "\n" + beginning);
    }

    /** The program in a language that contains a text; from now on it counts as done. */
    public Recipe program(String language, String content) {
        return block(language, content);
    }

    private Recipe block(String language, String content) {
        Block found =
                blocks.stream()
                        .filter(block -> block.language.equals(language))
                        .filter(block -> ("\n" + block.text).contains(content))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(name + " has no " + content));
        left.remove(found);
        return new Recipe(found.text);
    }

    /** Requires that every block was asked for. */
    public void requireAllDone() {
        if (!left.isEmpty()) {
            throw new AssertionError("of " + name + " no test does " + left);
        }
    }
}
