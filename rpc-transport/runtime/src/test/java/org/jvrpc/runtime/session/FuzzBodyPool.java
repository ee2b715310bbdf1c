package org.jvrpc.runtime.session;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.testing.fuzz.FuzzCheck;

/** Long bodies of one session: some, that are all given back at the end, once. Any thread. */
public final class FuzzBodyPool implements Bodies {

    /** Memory for more is made by another thread, where the session has one for that. */
    public static final int SOON_BYTES = 1 << 20;
    public static final int BODY_BYTES = SOON_BYTES + (1 << 12);
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(BODY_BYTES);
    private static final int COUNT = 6;
    private static final Memory[] ALL = new Memory[COUNT];

    static {
        for (int i = 0; i < COUNT; i++) {
            ALL[i] = new Memory(ByteBuffer.allocateDirect(BODY_BYTES));
        }
    }

    private final ArrayDeque<Body> free = new ArrayDeque<>();
    private final Set<Body> taken = new HashSet<>();
    private final int limit;
    private boolean closed;
    private boolean left;

    /** @param limit the longest body that may be asked for, in bytes */
    public FuzzBodyPool(int limit) {
        this.limit = limit;
        for (Memory memory : ALL) {
            free.add(memory);
        }
    }

    private static final class Memory implements Body {
        private final ByteBuffer buffer;

        Memory(ByteBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public int capacity() {
            return buffer.capacity();
        }
    }

    /** A link whose long bodies have the script's bytes from where their descriptor says, then zeros. */
    public static class Source extends ScriptedLink {

        private final byte[] script;

        protected Source(ByteBuffer[] bodies, byte[] script, int from) {
            super(bodies, script, from);
            this.script = script;
        }

        @Override
        public int describe(int slot, Body body) {
            return RpcHeader.DESCRIPTOR_BYTES;
        }

        @Override
        protected void fetch(Body into, int offset, int length, long source) {
            FuzzCheck.that(offset >= 0 && length >= 0 && offset + length <= into.capacity(), "fetch beyond memory");
            int from = (int) Math.min((source & 0xffff) + offset, script.length);
            int some = Math.min(length, script.length - from);
            into.buffer().put(offset, script, from, some);
            into.buffer().put(offset + some, ZEROS, 0, length - some);
        }
    }

    /** Returns true when all is back, and this is closed. */
    public synchronized boolean isWhole() {
        return closed && taken.isEmpty();
    }

    /** Returns how many are not given back. */
    public synchronized int out() {
        return taken.size();
    }

    /** Takes all back: whoever gives some of it back then is told that it is not out. */
    public synchronized void revoke() {
        free.addAll(taken);
        taken.clear();
    }

    /** Returns true once after memory was left to another thread to make. */
    public synchronized boolean wasLeft() {
        boolean was = left;
        left = false;
        return was;
    }

    @Override
    public synchronized Body take(long bytes) {
        FuzzCheck.that(bytes >= 0 && bytes <= limit, "asks for more than the limit: " + bytes);
        Body body = free.poll();
        if (body == null) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "no memory");
        }
        taken.add(body);
        return body;
    }

    @Override
    public Body takeForFetch(long bytes) {
        return take(bytes);
    }

    @Override
    public synchronized Body reuseForFetch(long bytes) {
        left |= bytes > SOON_BYTES;
        return free.isEmpty() || bytes > SOON_BYTES ? null : take(bytes);
    }

    @Override
    public synchronized void give(Body body) {
        FuzzCheck.that(taken.remove(body), "given back twice, or not taken");
        free.add(body);
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
