package org.jvrpc.runtime.session;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * A long body on its way in; see {@link Fetches}. Has its memory until it is taken by who wanted the body, or given
 * back. The thread that uses the link, but for {@link #allocate}.
 */
public abstract class Fetch {

    /** Longer memory is made by another thread: its zeros would keep this one from others. */
    private static final int LARGE = 1 << 20;

    private final long source;
    private final int key;
    private final int length;
    private Body body;
    private RpcException refusal;
    private int done;
    /** It is read where it lies when its turn comes, if that is long enough. */
    private boolean far;

    /**
     * @param source where the peer has it, as its message's {@link Descriptor} says
     * @param key to it, as the same says
     */
    protected Fetch(long source, int key, int length) {
        this.source = source;
        this.key = key;
        this.length = length;
    }

    /** Returns false when nobody waits for it any more: then it ends before its next piece. */
    protected boolean isWanted() {
        return true;
    }

    /** All of it is there, or it is refused, or not wanted any more. Once. */
    protected abstract void ended();

    final boolean isFar() {
        return far;
    }

    /** It needs no memory: see {@link FarBody}. */
    public final void stayFar() {
        far = true;
    }

    /** It needs memory, after all. */
    final void comeNear(Bodies bodies) {
        far = false;
        allocateSoon(bodies);
    }

    /** Has it read where it lies; false when it is to be fetched. */
    public final boolean begin(FarBody body) {
        return body.begin(source, key, length);
    }

    public final int length() {
        return length;
    }

    /** Finds memory where that takes no time; returns false when {@link #allocate} is left to another thread. */
    public final boolean allocateSoon(Bodies bodies) {
        body = bodies.reuseForFetch(length);
        if (body == null && length <= LARGE) {
            allocate(bodies);
        }
        return body != null || refusal != null;
    }

    /** Finds memory, or says why there is none. One thread, before others look. */
    public final void allocate(Bodies bodies) {
        try {
            body = bodies.takeForFetch(length);
        } catch (RpcException e) {
            refusal = e;
        } catch (RuntimeException | Error e) { // or nobody would ever hear of it
            refusal = new RpcException(Status.INTERNAL, "memory for a body of bytes=" + length + ": " + e, e);
        }
    }

    /** It will not be fetched. */
    protected final void refuse(RpcException why) {
        refusal = why;
    }

    /** Returns why it is not fetched, or null. */
    public final RpcException refusal() {
        return refusal;
    }

    final boolean isOver() {
        return refusal != null || isHere() || !isWanted();
    }

    /** Returns true when all of it is there. */
    protected final boolean isHere() {
        return refusal == null && body != null && done == length;
    }

    /** Returns where it is. */
    protected final ByteBuffer buffer() {
        return body.buffer();
    }

    final int left() {
        return length - done;
    }

    /** Begins with so many bytes more; as {@link Link#beginFetch}. */
    final long begin(Link link, int bytes) {
        return link.beginFetch(body, done, bytes, source, key);
    }

    final void arrived(int bytes) {
        done += bytes;
    }

    /** Hands the memory over. */
    public final Body takeBody() {
        Body taken = body;
        body = null;
        return taken;
    }

    public final void giveBack(Bodies bodies) {
        Body rest = takeBody();
        if (rest != null) {
            bodies.give(rest);
        }
    }
}
