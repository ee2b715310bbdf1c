package org.jvrpc.fabric.host;

import org.jvrpc.roce.rc.ReceiveQueue.Arrival;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.verbs.WcStatus;

/** Who owns a QP: says what is sent, where messages go, and is told what became of them. */
public interface Application {

    /** Fills in the next WR; false when there is none. {@link RcEndpoint#posted} tells the QP of new ones. */
    default boolean fetch(SendWork work) {
        return false;
    }

    /** Returns where the memory of a WR that was fetched begins. */
    default long address(SendWork work) {
        return 0;
    }

    /** A WR has ended, as its NIC knows: the host is told later, where that takes time. */
    default void completedInNic(SendWork work, long nicNs) {
    }

    /** A WR has ended. */
    default void completed(SendWork work, WcStatus status, long nowNs) {
    }

    /** Takes the next receive; false when none is posted. */
    default boolean takeReceive() {
        return true;
    }

    /** Returns where the memory of the receive at hand begins. */
    default long receiveAddress() {
        return 0;
    }

    /** Returns how long the receive at hand is. */
    default long receiveBytes() {
        return Long.MAX_VALUE;
    }

    /** A message arrived. */
    default void arrived(Arrival kind, long length, int word, long nowNs) {
    }

    /** The QP is in ERR. */
    default void failed() {
    }
}
