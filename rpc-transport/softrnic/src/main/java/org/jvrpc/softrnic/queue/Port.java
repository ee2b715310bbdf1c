package org.jvrpc.softrnic.queue;

import java.util.Set;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;

/**
 * What carries a QP's messages to its peer and the peer's to it: the part of a QP that differs between kinds of
 * devices. The rings, the CQs and the receives that are posted are the QP's own; a port takes WQEs from the send ring,
 * completes them, and fills receives. One for each QP, made with it. The shm port executes on the thread that rings; a
 * port that has a network keeps a window of what is executed and not acknowledged, and may have a thread of its own.
 *
 * <p>The state lies in the QP's context. A port moves it from INIT to RTS when it connects, and to ERR when it fails;
 * it then tells the QP by {@link PortQueuePair#failed}. Unless said otherwise for any thread.
 */
public interface Port {

    /**
     * Returns what executes the send ring: it is rung by the thread that posts, and by polls that find nothing is told
     * to go on with what waits. Always the same object.
     */
    SendEngine engine();

    /** Returns what a peer's port must know to reach this QP. */
    byte[] endpoint();

    /**
     * The QP is made: from now on others may reach it.
     *
     * @throws org.jvrpc.verbs.VerbsException when it cannot be; {@link #disconnect} follows
     */
    void open();

    /**
     * Connects to the QP of an endpoint, and moves from INIT to RTR, when the peer's messages are taken, and to RTS.
     *
     * @throws org.jvrpc.verbs.VerbsException when the peer cannot be reached, is no QP that this one can talk to, or
     *     has another peer; then nothing is left of the attempt, and the QP is in INIT as before, or in ERR
     */
    void connect(byte[] endpoint);

    /**
     * Makes a datagram QP ready: moves it from INIT to RTS.
     *
     * @throws org.jvrpc.verbs.VerbsException when the device cannot take another
     */
    void makeReady();

    /**
     * The QP is in ERR, for whatever reason: completes with flush errors what it has taken from the send ring and not
     * completed, and sends no more. What is in the ring is flushed when the engine gets to it. Called again by polls
     * that find errors; with the engine's monitor held, and never once the QP is closed.
     */
    void flush();

    /** Looks, now and then, for what senders that died left in the QP; called for datagram QPs only. */
    void recover();

    /** The QP is being closed and in ERR, or could not be made: has no further messages come to it. Called once. */
    void disconnect();

    /**
     * The QP is closed, and nothing of this process touches its memory any more. Gives the memory back, when nobody
     * else can write to it either.
     *
     * @param known domains whose peers know the memory
     */
    void close(Arena.Block memory, Set<Quarantine> known);
}
