package org.jvrpc.router.share;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** How much a tenant has moved. The worker counts; {@link #look} is for one thread, the rest for any. */
public final class Moved {

    private static final VarHandle BYTES = of("bytes");
    private static final VarHandle WQES = of("wqes");
    private static final long SECOND_NS = 1_000_000_000L;

    private long bytes;
    private long wqes;
    private long lookedNs;
    private long bytesThen;
    private long wqesThen;
    private volatile long bytesPerSecond;
    private volatile long wqesPerSecond;

    private static VarHandle of(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(Moved.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The worker's thread. */
    void count(long moreBytes, long moreWqes) {
        BYTES.setOpaque(this, bytes + moreBytes);
        WQES.setOpaque(this, wqes + moreWqes);
    }

    /** Takes the rates since the look before. @param nowNs monotonic */
    public void look(long nowNs) {
        long bytesNow = bytes();
        long wqesNow = wqes();
        long passedNs = nowNs - lookedNs;
        if (lookedNs != 0 && passedNs > 0) {
            bytesPerSecond = Math.round((double) (bytesNow - bytesThen) * SECOND_NS / passedNs);
            wqesPerSecond = Math.round((double) (wqesNow - wqesThen) * SECOND_NS / passedNs);
        }
        lookedNs = nowNs;
        bytesThen = bytesNow;
        wqesThen = wqesNow;
    }

    public long bytes() {
        return (long) BYTES.getOpaque(this);
    }

    public long wqes() {
        return (long) WQES.getOpaque(this);
    }

    public long bytesPerSecond() {
        return bytesPerSecond;
    }

    public long wqesPerSecond() {
        return wqesPerSecond;
    }
}
