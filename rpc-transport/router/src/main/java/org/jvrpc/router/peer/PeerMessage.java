package org.jvrpc.router.peer;

import org.jvrpc.router.Refusal;

/**
 * What two routers say about connections. Each is of one connection, which the connector's router has numbered: epoch.
 * Bytes are at most {@link #MAX_PRIVATE}, texts what {@link PeerCodec} has room for. All of it is the other router's
 * word, within its ranges.
 */
public sealed interface PeerMessage {

    /** The most bytes that a connector or a listener sends along. */
    int MAX_PRIVATE = 1024;

    /** Returns the number of the connection. */
    long epoch();

    /**
     * Somebody of the sender's host wants to connect.
     *
     * @param number by which the connector's router knows the connection
     * @param tenant who wants to
     * @param address of that tenant, which lives at the sender's
     * @param to address that is asked for
     * @param homeEpoch of that address as the sender knows it
     * @param waited the address was on its way a short while ago
     */
    record Connect(long epoch, int number, String tenant, String address, String to, int port, long homeEpoch,
            boolean waited, byte[] privateData) implements PeerMessage { }

    /**
     * A device of the sender's host wants to send datagrams to a device. {@link Accept}, without private data, or
     * {@link Refuse} answer, and {@link Cut} ends it.
     *
     * @param number by which the sender's router knows the way
     * @param tenant who wants to
     * @param address of that tenant, which lives at the sender's
     * @param device number of the device that is asked for
     * @param incarnation of its router
     */
    record Route(long epoch, int number, String tenant, String address, int device, long incarnation)
            implements PeerMessage { }

    /** The listener took it. @param number by which the listener's router knows the connection */
    record Accept(long epoch, int number, byte[] privateData) implements PeerMessage { }

    /** The listener did not want it. */
    record Reject(long epoch, byte[] privateData) implements PeerMessage { }

    /** The listener's router did not let it. */
    record Refuse(long epoch, Refusal refusal, String text) implements PeerMessage { }

    /** The connector can receive, too. */
    record Bound(long epoch) implements PeerMessage { }

    /** It ends, or is wanted no more. @param byConnector the sender's host is that of who connected */
    record Cut(long epoch, boolean byConnector, String why) implements PeerMessage { }
}
