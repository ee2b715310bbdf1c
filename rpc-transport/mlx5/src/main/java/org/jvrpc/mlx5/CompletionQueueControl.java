package org.jvrpc.mlx5;

/** The device's side of a CQ. */
public interface CompletionQueueControl {

    /** Rings the arm doorbell. */
    void arm(int consumerIndex);

    /** Takes an arming back. */
    void disarm();

    /** Returns true when completions were lost for lack of room. */
    boolean overran();

    /**
     * Lets stalled work of the QPs go on; called by polls that found nothing, after {@link Mlx5CompletionQueue#alert}.
     */
    void progress();

    /** Destroys the CQ. */
    void close();
}
