package org.jvrpc.router;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.WcStatus;

/** The way to other hosts. One thread: the worker's; nothing here waits. */
public interface RemotePath {

    /** Takes and sends for a connection from now on. */
    Way begin(RemoteConnection to, Local end);

    /**
     * Opens a way of datagrams.
     *
     * @param end where those go that come; null: none may
     */
    DatagramWay open(RemoteConnection to, DatagramWay.End end);

    /** Returns true while what is sent to a host goes there at once. Any thread. */
    boolean reaches(String host);

    /** Takes what came, and sends what is due. @return how much there was */
    int poll(long nowNs);

    /** Returns true when something came so short ago that more is likely. */
    boolean isBusy(long nowNs);

    /** Returns in how many nanoseconds it has something to do by itself. */
    long nextNs(long nowNs);

    /**
     * Has the worker woken when something comes, as it is about to sleep.
     *
     * @return false when something came meanwhile: it must not sleep
     */
    boolean mayRest(Runnable wake);

    /** A part of a slab is its owner's alone: nothing is brought there or read there any more when this returns. */
    void revoke(Slab slab, long address, long length);

    /** As {@link #revoke}, of all of a slab, which is not used again. */
    void forget(Slab slab);

    /** What one connection's QP sends by. */
    interface Way {

        /**
         * Sends a WQE, or a piece of it. WRITEs, READs and SENDs go in pieces of any length up to {@link #most}.
         *
         * @param skip bytes of the WQE that were sent before
         * @return false, with nothing done, when there is no room: {@link Local#again} tells of it
         */
        boolean send(RemoteWork work, long skip, int bytes);

        /** Returns the most bytes of a piece. */
        int most();

        /**
         * Looks whether a piece of a WQE can go from memory to memory without a copy between. If so it must be sent
         * next; what is behind it is not sent before {@link DirectEnd#wentDirectly} or {@link Local#completed}.
         *
         * @return its bytes, more than {@link #most}; 0 when it cannot; less when there is no room
         */
        int mostDirect(RemoteWork work, long skip);

        /** The QP is in ERR: nothing is brought to its memory or read there any more when this returns. */
        void halt();

        /** Ends it: nothing of it is delivered any more when this returns, and {@link Local} not called. */
        void end();
    }

    /** A QP of this host, as the path calls it. Statuses are those that the peer's work request ends with. */
    interface Local extends DirectEnd {

        /** Returns whose it is; those of one tenant have equal owners. */
        Object owner();

        /** Returns how often a peer without receives is asked again, as {@code QueuePairAttributes} has it. */
        int rnrRetry();

        /** Returns in how many nanoseconds it is asked again. */
        long rnrTimerNs();

        /** The oldest WQE that was sent is complete; when it failed, all others are flushed. */
        void completed(WcStatus status);

        /** There is room. */
        void again();

        /** The connection is lost, without a WQE that would tell. */
        void failed();

        /** What a READ or an atomic, the only WQE under way, brings. @return false when its memory is not there */
        boolean answer(long skip, ByteBuffer from, int at, int bytes);

        /** Returns true while its owner connects: it is no fault of a receive that the peer cannot be served yet. */
        boolean isConnecting();

        /**
         * Executes a SEND or a WRITE of the peer's, or a piece.
         *
         * @param opcode of {@code org.jvrpc.mlx5.Wqe}
         * @param address of the whole, for WRITEs
         * @param total bytes of the whole
         * @return null when there is no receive, or {@link #isConnecting}: the same comes again
         */
        WcStatus arrive(int opcode, int immediate, int rkey, long address, long total, long skip, ByteBuffer from,
                int at, int bytes);

        /** Executes a READ of the peer's, or a piece. @return null when {@link #isConnecting} */
        WcStatus read(int rkey, long address, ByteBuffer to, int at, int bytes);

        /**
         * Executes an atomic.
         *
         * @param operands as {@link RemoteWork#operand} has them
         * @param found its first is what was there
         * @return null when {@link #isConnecting}
         */
        WcStatus atomic(int opcode, int rkey, long address, long[] operands, long[] found);

        /** Has it told now whether the memory was there that was touched. @throws InternalError when it was not */
        void touched();

        /** Memory of this tenant's was not there, while one of these was called. */
        void vanished(InternalError e);
    }
}
