package org.jvrpc.verbs.contract;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.WcStatus;

/** What the contract suites ask of whoever runs them on a device. */
public interface DeviceUnderTest {

    /** Opens a device; the suite closes it. */
    Device openDevice();

    /** Returns an address that nobody listens at, another one each time. */
    String address();

    /** Returns true to have both QPs of each test on one device, false to have two devices. */
    default boolean oneDevice() {
        return false;
    }

    // What a device may lack. A test that needs it is skipped there; each default asks for all but pushes and adopting.

    /** Returns true when processes attach to each other's memory. */
    default boolean attaches() {
        return true;
    }

    /** Returns true when domains share regions. */
    default boolean shares() {
        return true;
    }

    /** Returns true when memory of others can be adopted. */
    default boolean adopts() {
        return false;
    }

    /** Returns true when memory that was adopted may be cut by its owner. */
    default boolean bearsCuts() {
        return true;
    }

    /** Returns true when there is a connection manager. */
    default boolean connects() {
        return true;
    }

    /** Returns true when a QP refuses to be connected to one that has another peer, or is of the other service. */
    default boolean knowsPeers() {
        return true;
    }

    /** Returns true when endpoints that are exchanged connect QPs; false where connections alone do. */
    default boolean meetsByEndpoints() {
        return true;
    }

    /** Returns true when a QP whose peer is closed moves to ERR by itself, as one of a connection does. */
    default boolean endsWithItsPeer() {
        return false;
    }

    /** Returns true when memory that the user brings is for SGEs of this process only. */
    default boolean keepsUserMemory() {
        return true;
    }

    /** Returns true when memory that the user brings may be named in SGEs. */
    default boolean reachesUserMemory() {
        return true;
    }

    /** Returns true when each device of the host may listen at each address. */
    default boolean listensAnywhere() {
        return true;
    }

    /** Returns true when there are shared receive queues. */
    default boolean sharesReceives() {
        return true;
    }

    /** Returns true when there are datagram QPs. */
    default boolean sendsDatagrams() {
        return true;
    }

    /** Returns true when a datagram that is longer than the receive is dropped, and the receive stays as it was. */
    default boolean dropsLongDatagrams() {
        return true;
    }

    /** Returns true when a send queue of the most and the widest requests is refused, as counters of 16 bits must. */
    default boolean limitsWideQueues() {
        return true;
    }

    /** Returns true when a READ whose result cannot be stored is found out before the remote memory is looked at. */
    default boolean looksHereFirst() {
        return true;
    }

    /** Returns how a send fails, on its own side, that is longer than the receive. */
    default WcStatus tooLong() {
        return WcStatus.REM_INV_REQ_ERR;
    }

    /** Returns how many completions a CQ of a depth takes before it overruns: at least so many. */
    default int roomOf(int depth) {
        return depth;
    }

    /** Returns true when completions that were not polled when a CQ was armed make no event. */
    default boolean armsFromNow() {
        return true;
    }

    /** Returns true when a misaligned atomic gets as far as the peer; false when the post refuses it. */
    default boolean postsMisalignedAtomics() {
        return true;
    }

    /** Returns true when sends complete some time after their messages arrived, as they do over a network. */
    default boolean completesLater() {
        return false;
    }

    /** Returns true when what a peer said last may still be on its way, as it is over a network. */
    default boolean hearsLater() {
        return completesLater();
    }

    /** Returns true when the request of an event can be taken back. */
    default boolean disarms() {
        return true;
    }

    /** Returns true when a message that can be delivered at once is pushed. */
    default boolean pushes() {
        return false;
    }

    /**
     * Returns how many times a test that looks for races does what is asked for so many times: fewer on a device that
     * takes some hundred microseconds for each, as a software device does in an emulated machine.
     */
    default int rounds(int wanted) {
        return wanted;
    }
}
