package org.jvrpc.watch.fabric.experiments;

import org.jvrpc.fabric.network.Scheduling;

/**
 * What is run: one short message at a time from a host to a target (LSG), and bulks (BSG) to the same target.
 *
 * @param amongPorts who is next at a switch's port, of the ports that frames came in by
 * @param bulks hosts that send as much as they can, 0 to 5
 * @param bulkBytes of each of their messages, WRITEs; 64 to 4096
 * @param twoHops the LSG and two bulks are at another switch than three bulks and the target
 * @param ownLane the LSG has a service level whose lane goes first
 * @param gamerBytes one more bulk sends by that service level, in messages of so many bytes, 64 to 4096; 0: none does
 */
public record Setup(Scheduling amongPorts, int bulks, int bulkBytes, boolean twoHops, boolean ownLane, int gamerBytes) {

    public static final int MOST_BULKS = 5;
    public static final int MOST_BYTES = 4096;
    private static final int LEAST_BYTES = 64;

    /** Checks the ranges. */
    public Setup {
        if (bulks < 0 || bulks > MOST_BULKS || bulkBytes < LEAST_BYTES || bulkBytes > MOST_BYTES) {
            throw new IllegalArgumentException("bulks=" + bulks + " bulkBytes=" + bulkBytes);
        }
        if (gamerBytes != 0 && (gamerBytes < LEAST_BYTES || gamerBytes > MOST_BYTES || !ownLane)) {
            throw new IllegalArgumentException("gamerBytes=" + gamerBytes + " ownLane=" + ownLane);
        }
    }

    /** Returns bulks of 4096 bytes at one switch. */
    public static Setup of(Scheduling amongPorts, int bulks) {
        return new Setup(amongPorts, bulks, MOST_BYTES, false, false, 0);
    }

    public Setup withBytes(int bytes) {
        return new Setup(amongPorts, bulks, bytes, twoHops, ownLane, gamerBytes);
    }

    public Setup overTwoHops() {
        return new Setup(amongPorts, bulks, bulkBytes, true, ownLane, gamerBytes);
    }

    public Setup withOwnLane() {
        return new Setup(amongPorts, bulks, bulkBytes, twoHops, true, gamerBytes);
    }

    public Setup withGamer(int bytes) {
        return new Setup(amongPorts, bulks, bulkBytes, twoHops, true, bytes);
    }
}
