package org.lrwp.server;

import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.util.List;

/** What is wrong with a command line, as one sentence. Stateless, any thread. */
public final class WrongUse {
    private WrongUse() {}

    /**
     * Says it. A misspelled option comes before whatever it has as a consequence: that the right
     * one is missing, or that its value is a word too many.
     *
     * @param wrong what picocli has found
     * @return such as {@code there is no option --prot: is --port meant?}
     */
    public static String sentence(ParameterException wrong) {
        List<String> unmatched = wrong.getCommandLine().getUnmatchedArguments();
        for (String word : unmatched) {
            if (word.startsWith("-") && word.length() > 1) {
                String option = word.split("=", 2)[0];
                return "there is no option " + option + meant(wrong, option);
            }
        }
        return String.valueOf(wrong.getMessage());
    }

    private static String meant(ParameterException wrong, String option) {
        var alone = new UnmatchedArgumentException(wrong.getCommandLine(), List.of(option));
        return alone.getSuggestions().stream()
                .findFirst()
                .map(name -> ": is " + name + " meant?")
                .orElse("");
    }
}
