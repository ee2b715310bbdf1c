package org.jvrpc.fabric.network;

/** A NIC or a switch, as its ports see it. */
public interface Device {

    /** Returns its address in frames. */
    int mac();

    /** Returns true for a NIC: what comes from it is from the host that its address is. */
    boolean isHost();

    /** Takes a frame that came, which is its own now. */
    void receive(Port port, Frame frame);

    /**
     * Hands over the next frame to be sent.
     *
     * @param ready priorities that are not paused, as bits
     * @return null when there is none
     */
    Frame next(Port port, int ready);

    /** The last bit of a frame has left that it handed over. */
    void left(Port port, Frame frame);

    /** The port was paused or is not any more. */
    void paused(Port port);
}
