package org.lrwp.events.journal;

import org.lrwp.events.channel.Epochs;
import org.lrwp.events.channel.Kept;

/**
 * What a file had.
 *
 * @param kept events, and what was forgotten
 * @param last the last sequence that may have been used
 * @param behind the last sequence of the run before
 * @param epochs the runs before, and this one
 */
public record Restored(Kept kept, long last, long behind, Epochs epochs) {}
