package org.jvrpc.router;

import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.verbs.WcStatus;

/**
 * What a QP of this host says of its memory, so that the device below brings bytes there and reads them there without a
 * copy between. A range is set to none where only copies will do. The worker's thread.
 */
public interface DirectEnd {

    /**
     * The piece that went directly is there, and was not the last; or it is not.
     *
     * @param came false: it has to go again, by copies
     */
    void wentDirectly(boolean came);

    /** Finds where a piece of the READ at hand goes. */
    void target(long skip, int bytes, MemoryRange range);

    /**
     * Finds where a piece of a SEND or a WRITE of the peer's goes.
     *
     * @param address of the whole, for WRITEs
     * @return null when there is no receive, or it {@link RemotePath.Local#isConnecting}
     */
    WcStatus place(int opcode, int rkey, long address, long total, long skip, int bytes, MemoryRange range);

    /** The bytes are there. */
    WcStatus placed(int opcode, int immediate, long total, long skip, int bytes);

    /** Finds what a READ of the peer's asks for. @return null when it {@link RemotePath.Local#isConnecting} */
    WcStatus source(int rkey, long address, int bytes, MemoryRange range);
}
