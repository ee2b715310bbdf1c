package org.jvrpc.runtime.stream.memory;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.stream.piece.Assembly;

/** Messages that come piece by piece, and the memory that counts for them. Whoever polls, but for {@link #close}. */
public final class Mailbox {

    private final StreamMemory memory;
    private Assembly assembly = new Assembly();
    /** Why the message that comes is not kept, or null. */
    private RpcException overdrawn;
    /** Bytes of messages that are not kept any more. */
    private int forgotten;
    private int held;
    private boolean closed;

    public Mailbox(StreamMemory memory) {
        this.memory = memory;
    }

    /**
     * Adds a piece; see {@link Assembly#add}.
     *
     * @return the message when it is whole, else null
     * @throws RpcException RESOURCE_EXHAUSTED with the last piece of a message that finds no memory, so that none that
     *     follows is taken for another's first
     */
    public ByteBuffer add(int kind, ByteBuffer from, int offset, int length, int rest) {
        if (overdrawn == null) {
            String wrong = assembly.add(kind, from, offset, length, rest);
            if (wrong != null) {
                throw new IllegalStateException(wrong);
            }
            keep();
        }
        if (overdrawn == null) {
            return assembly.takeWhole();
        }
        if (length >= rest) {
            throw overdrawn;
        }
        return null;
    }

    private synchronized void keep() {
        if (!assembly.hasGrown() || closed) {
            return;
        }
        int bytes = assembly.held() - forgotten;
        try {
            memory.hold(bytes - held);
            held = bytes;
        } catch (RpcException e) {
            overdrawn = e;
            assembly = null;
        }
    }

    /**
     * Messages that came are not kept any more.
     *
     * @throws RpcException RESOURCE_EXHAUSTED where the one that comes finds no memory
     */
    public synchronized void forget() {
        if (overdrawn != null) {
            throw overdrawn;
        }
        forgotten = assembly.held();
        memory.letGo(held);
        held = 0;
    }

    /** Nothing that came or comes is kept any more. Any thread. */
    public synchronized void close() {
        closed = true;
        memory.letGo(held);
        held = 0;
    }
}
