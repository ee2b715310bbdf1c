package org.jvrpc.router;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.WcStatus;

/** The way to other hosts. One thread: the worker's; nothing here waits or allocates. */
public interface RemotePath {

    /** Takes and sends for a connection from now on, by its own number. */
    void begin(RemoteConnection to);

    /** Sends. @return false: there is no room, or a grant is awaited; the same WQE comes again */
    boolean send(int qp, RemoteWork work);

    /** Ends a QP. @return true once nothing of it can be delivered any more, either way; asked again each round */
    boolean ended(int qp, long epoch);

    /** Takes what came. @return how much there was */
    int poll(long nowNs);

    /** Returns when it wants to be polled, at the latest. */
    long nextNs();

    /** The engine, as the path calls it. */
    interface Local {

        int DELIVERED = 0;
        int NOT_READY = 1;
        int TOO_LONG = 2;
        int FAILED = 3;

        void completed(int qp, int wqe, WcStatus status, int bytes);

        /** Delivers a message. @return {@link #DELIVERED}, {@link #NOT_READY}, {@link #TOO_LONG} or {@link #FAILED} */
        int deliver(int qp, ByteBuffer from, int at, int bytes, boolean hasImmediate, int immediate);

        boolean write(int qp, int rkey, long address, ByteBuffer from, int at, int bytes);

        boolean read(int qp, int rkey, long address, ByteBuffer to, int at, int bytes);

        /** @param refused its first is set when the key does not allow it */
        long atomic(int qp, int opcode, int rkey, long address, long first, long second, boolean[] refused);

        /** Returns registered memory for a transfer without a copy; null when the key does not allow it. */
        Window window(int qp, int rkey, long address, long bytes, int access);

        void failed(int qp, WcStatus status);
    }

    /** Registered memory of a tenant. It may be used while the region's epoch is this one. */
    record Window(ByteBuffer memory, int at, long bytes, long epoch) { }
}
