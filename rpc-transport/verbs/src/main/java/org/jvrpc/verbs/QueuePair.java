package org.jvrpc.verbs;

/**
 * A send and a receive queue: of the reliable connected service (RC), or of the unreliable datagram service (UD) when
 * made with {@link QueuePairAttributes#datagram}. One thread at a time posts.
 *
 * <p>A UD QP has no peer: each send names its {@link Destination}, and anybody may send to it. The first
 * {@link #DATAGRAM_HEADER_BYTES} bytes of a receive are left for the header of the network, whose contents mean nothing
 * here; the message lies behind, and the completion counts both. Nothing is acknowledged: a send is complete when it
 * has left. A message is dropped without a word when no receive is posted, when its qkey is wrong, when its QP is not
 * there or not ready, or when it was lost on its way. One that is longer than the receive is dropped, too, or completes
 * the receive with an error, after which the QP may be in ERR: devices differ.
 */
public interface QueuePair extends AutoCloseable {

    /** How much room a receive of a UD QP has before the message, in bytes: that of a GRH. Source: ibv_post_recv(3). */
    int DATAGRAM_HEADER_BYTES = 40;

    /** Returns the QP number on its device. */
    int number();

    /** Returns the state; a peer's fault may move it to ERR at any time. */
    QueuePairState state();

    /**
     * Moves to INIT, from RESET: receives may be posted. Source: ibv_modify_qp(3).
     *
     * @throws VerbsException in any other state
     */
    void init();

    /** Returns what a peer passes to {@link #connect}: where and which this QP is. Opaque; not before INIT. */
    byte[] endpoint();

    /**
     * Moves from INIT through RTR to RTS with a peer, without a connection manager: nobody tells when that peer dies,
     * and completions do not wake who waits for an armed CQ in another process, which has to poll. The peer may still
     * be in INIT: sends wait for it, for some seconds.
     *
     * @param remoteEndpoint the peer's {@link #endpoint()}
     * @throws VerbsException in any other state, when the peer's memory cannot be reached, when the endpoint makes no
     *     sense, when another QP is connected to that peer already, or on a UD QP; the state is the same as before
     */
    void connect(byte[] remoteEndpoint);

    /**
     * Moves a UD QP from INIT through RTR to RTS: from now on it takes and sends datagrams.
     *
     * @throws VerbsException in any other state, and on an RC QP; the state is the same as before
     */
    default void ready() {
        throw new VerbsException("modify_qp", "qp number=" + number() + " is not of the datagram service: connect it");
    }

    /** Moves to ERR: what is posted is flushed, in order, sends and receives each. Any state but RESET; any thread. */
    void error();

    /**
     * Makes a stateful verb call: the WQEs of these sends, ready to be posted again and again.
     *
     * @throws VerbsException when a request has more SGEs or inline bytes than the QP, or the list more than the SQ
     */
    PostSend prepareSend(SendRequest... requests);

    /**
     * Makes a stateful verb call of receives.
     *
     * @throws VerbsException as {@link #prepareSend}, and on a QP that takes its receives from an SRQ
     */
    PostReceive prepareReceive(ReceiveRequest... requests);

    /**
     * Makes sure that the peer is woken for everything posted, if it armed its CQ. Needed, soon after the last post of
     * a burst, on QPs made with {@link QueuePairAttributes#lazyWake}; does nothing on others. The thread that posts.
     */
    void wakePeer();

    /**
     * Says that short SENDs are likely to follow soon; best some hundred instructions before the first. A hint, which
     * changes nothing but time: where the peer's completions are lines of memory that it has copies of, a device gets
     * hold of the next ones while its caller makes the messages. In any state, also when closed. The thread that posts.
     *
     * @param count how many are likely; 0 and less do nothing
     */
    default void expectSends(int count) {
        // nothing that this device could do beforehand
    }

    /** Ends the QP; outstanding work is not reported any more. Idempotent. */
    @Override
    void close();
}
