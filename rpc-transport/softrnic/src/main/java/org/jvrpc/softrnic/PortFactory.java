package org.jvrpc.softrnic;

import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import org.jvrpc.softrnic.datagram.DatagramEngine;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.memory.LocalRegion;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.SrqNote;
import org.jvrpc.softrnic.shm.folder.Place;
import org.jvrpc.verbs.Chains;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/** Makes the ports of a device's QPs. Any thread. */
interface PortFactory {

    /**
     * Makes the port of a QP that is being made: its memory is allocated, its context not written yet.
     *
     * @throws VerbsException when there is no memory for it
     */
    Port create(SoftQueuePair qp);

    /** Returns a number for a QP that is to be made, or -1 to have the device choose one. */
    default int claimQpn() {
        return -1;
    }

    /** A QP that {@link #claimQpn} gave a number is closed. */
    default void releaseQpn(int number) {
        // the device chose it
    }

    // What the device says of itself, see Device.

    default int maxRequestBytes() {
        return Device.MAX_PRIVATE_BYTES;
    }

    default int maxAnswerBytes() {
        return Device.MAX_PRIVATE_BYTES;
    }

    default long longestSendNs() {
        return 30_000_000;
    }

    default Map<String, Long> counters(SoftDevice device) {
        return Map.of();
    }

    /** Returns where the device has its folder; null for among those of its user. */
    default Place place() {
        return null;
    }

    /** The device is made. @throws VerbsException when it cannot be used; it is ended then */
    default void begin(SoftDevice device) {
        // most begin when they are first needed
    }

    /** Returns how many bytes a port has behind its QP's rings, see {@link PortQueuePair#behind}. */
    default int bytesBehind() {
        return 0;
    }

    /** Returns true when nobody on the way to peers can read what is sent, see {@link Device#isPrivate}. */
    default boolean isPrivate() {
        return false;
    }

    /** Returns true when completions are written by another process, which counts them itself. */
    default boolean completesAfar() {
        return false;
    }

    /**
     * Returns true when who works for the device reaches its arena alone, so that memory which its user brings is
     * copied to and from a piece of that.
     */
    default boolean copiesUserMemory() {
        return false;
    }

    // What the device has, for those who work elsewhere. Each is called before it is used, and after.

    default void made(LocalRegion region, int pd) {
        // most look at the device's table
    }

    default void gone(LocalRegion region) {
        // see above
    }

    /** Memory was given back. */
    default void freed() {
        // see above
    }

    default void made(CqNote cq, Runnable wake, IntSupplier consumer) {
        // most look at the QPs' contexts
    }

    default void goneCq(int number) {
        // see above
    }

    default void made(SrqNote srq) {
        // see above
    }

    default void goneSrq(int number) {
        // see above
    }

    /** Makes the chains of a protection domain where somebody else runs them; null where this process does. */
    default Chains chains(int pd) {
        return null;
    }

    /** The chains that somebody else runs end. */
    default void goneChains(int pd) {
        // see above
    }

    /** Takes a name, see {@link Device#listen}. */
    default Listener listen(SoftDevice device, String address, EventChannel channel) {
        throw new VerbsException("listen", "the device has no connection manager, address=" + address);
    }

    /** Connects, see {@link Device#connect}. */
    default Connection connect(SoftDevice device, String address, QueuePair qp, byte[] privateData,
            EventChannel channel, long timeoutNs, Runnable meanwhile) {
        throw new VerbsException("connect", "the device has no connection manager, address=" + address);
    }

    /** Returns the longest datagram, see {@link org.jvrpc.verbs.Device#maxDatagramBytes}. */
    default int maxDatagramBytes(SoftDevice device) {
        return DatagramEngine.MAX_DATAGRAM;
    }

    /**
     * Opens the way of an address handle to the device of an endpoint.
     *
     * @param pd number of the handle's protection domain
     * @param trafficClass of packets, 0 to 255; without meaning where there are none
     * @throws VerbsException when there is no such device, or there are too many ways
     */
    default Route openRoute(SoftDevice device, int pd, byte[] endpoint, int trafficClass) {
        return device.node().openRoute(pd, endpoint);
    }

    /** Returns true where all that peers do to memory is done by this process, which stands memory that vanishes. */
    default boolean adopts() {
        return false;
    }

    /** Returns true where whoever delivers datagrams is in this process, and so wakes who waits for them. */
    default boolean deliversHere() {
        return false;
    }

    /** Returns what peers know a key of the device's memory by. */
    default int remoteKey(int key) {
        return key;
    }

    /** Returns what tells the key that peers know by a number; null where they know keys. */
    default IntUnaryOperator keyOfRemote() {
        return null;
    }

    /**
     * Waits until nobody copies by keys that were looked up before. Of ports that copy on threads of their own, each
     * under its QP's lock; others do on the threads of their callers.
     */
    default void quiesce() {
        // most have no threads
    }

    /** The device is closed. */
    default void close() {
        // most have nothing of their own
    }
}
