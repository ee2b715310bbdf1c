package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.ScriptedLink;
import org.jvrpc.testing.fuzz.FuzzCheck;

/** Long bodies of one session: some, that are all given back at the end, once. */
final class FuzzBodyPool implements Bodies {

    static final int BODY_BYTES = 1 << 20;
    private static final int COUNT = 6;
    private static final Memory[] ALL = new Memory[COUNT];

    static {
        for (int i = 0; i < COUNT; i++) {
            ALL[i] = new Memory(ByteBuffer.allocateDirect(BODY_BYTES));
        }
    }

    private final ArrayDeque<Body> free = new ArrayDeque<>();
    private final Set<Body> taken = new HashSet<>();
    private boolean closed;

    FuzzBodyPool() {
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
    static class Source extends ScriptedLink {

        private final byte[] script;

        Source(ByteBuffer[] bodies, byte[] script, int from) {
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
            for (int i = offset + some; i < offset + length; i++) {
                into.buffer().put(i, (byte) 0);
            }
        }
    }

    /** Returns true when all is back, and this is closed. */
    boolean isWhole() {
        return closed && taken.isEmpty();
    }

    @Override
    public Body take(long bytes) {
        FuzzCheck.that(bytes <= BODY_BYTES, "asks for more than the limit: " + bytes);
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
    public Body reuseForFetch(long bytes) {
        return free.isEmpty() ? null : take(bytes);
    }

    @Override
    public void give(Body body) {
        FuzzCheck.that(taken.remove(body), "given back twice, or not taken");
        free.add(body);
    }

    @Override
    public void close() {
        closed = true;
    }
}
