package org.lrwp.webapp.steering;

/**
 * What became of a command.
 *
 * @param status 200 when it was done, else an HTTP status
 * @param sentence for people
 */
public record SteeringOutcome(int status, String sentence) {
    /**
     * Says whether it was done.
     *
     * @return whether the status is 200
     */
    public boolean isDone() {
        return status == 200;
    }

    static SteeringOutcome done(String sentence) {
        return new SteeringOutcome(200, sentence);
    }
}
