package org.jvrpc.router;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.queue.GatherList;

/** What datagrams to a device of another host go by. One thread: the worker's. */
public interface DatagramWay {

    /**
     * Sends one, which is copied. What cannot go at once is dropped, as is whatever its receiver cannot take.
     *
     * @param message at most 4,096 bytes
     * @return false: it was dropped here
     */
    boolean send(GatherList message, boolean hasImmediate, int immediate, int sourceQp, int qp, int qkey);

    /** Ends it: nothing goes or comes by it any more. Idempotent. */
    void end();

    /** Where they come to. */
    interface End {

        /** Delivers one, or drops it. @param from is the caller's again when this returns */
        void arrived(ByteBuffer from, int at, int bytes, boolean hasImmediate, int immediate, int sourceQp, int qp,
                int qkey);
    }
}
