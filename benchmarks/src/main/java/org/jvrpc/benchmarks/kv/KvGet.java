package org.jvrpc.benchmarks.kv;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.benchmarks.harness.Operation;

/** A get of some key by any client, whose value is checked afterwards. */
final class KvGet extends Operation {

    /** A client, whichever. */
    @FunctionalInterface
    interface Getter {
        /** Puts a key's value at the buffer's begin. @return its length, or -1 */
        int get(int key, ByteBuffer into) throws Exception;
    }

    private final Getter getter;
    private final ByteBuffer into = ByteBuffer.allocateDirect(256).order(ByteOrder.LITTLE_ENDIAN);
    private int state = 12345;
    private int key;
    private int length;

    KvGet(Getter getter) {
        this.getter = getter;
    }

    @Override
    public void before() {
        state = state * 1_103_515_245 + 12345;
        key = (state >>> 8) % KvData.KEYS;
    }

    @Override
    public void call() throws Exception {
        length = getter.get(key, into.clear());
    }

    @Override
    public void after() {
        KvData.check(key, into, 0, length);
    }

    /** Returns true when the last get found nothing. */
    boolean missed() {
        return length < 0;
    }
}
