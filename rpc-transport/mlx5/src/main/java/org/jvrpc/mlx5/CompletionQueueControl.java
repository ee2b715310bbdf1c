package org.jvrpc.mlx5;

/** The device's side of a CQ. */
public interface CompletionQueueControl {

    /** Rings the arm doorbell. */
    void arm(int consumerIndex);

    /** Takes an arming back. */
    void disarm();

    /** Returns true when the device, or a peer's, wants {@link #progress}. */
    boolean alerted();

    /**
     * Lets stalled work of the QPs go on. Called by polls that found nothing, when {@link #alerted()} or after
     * {@link Mlx5CompletionQueue#alert}.
     *
     * @throws org.jvrpc.verbs.VerbsException when completions were lost for lack of room
     */
    void progress();

    /** Destroys the CQ. */
    void close();
}
