package org.jvrpc.api.wire;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** A writer and a reader in the middle of off-heap memory, with canaries around what they may touch. */
final class Memory {

    private static final int MARGIN = 16;
    private static final byte CANARY = 0x5a;

    final WireWriter out = new WireWriter();
    final WireReader in = new WireReader();
    private final ByteBuffer memory;
    private final int capacity;

    Memory(int capacity) {
        this.capacity = capacity;
        this.memory = ByteBuffer.allocateDirect(capacity + 2 * MARGIN);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, CANARY);
        }
        out.reset(memory, MARGIN, MARGIN + capacity, null, null);
    }

    /** Returns a reader over hexadecimal digits; blanks do not matter. */
    static WireReader reader(String hex) {
        return reader(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    static WireReader reader(byte[] bytes) {
        Memory memory = new Memory(bytes.length);
        memory.memory.put(MARGIN, bytes);
        memory.in.reset(memory.memory, MARGIN, bytes.length, null);
        return memory.in;
    }

    /** Returns a reader over what was written. */
    WireReader written() {
        in.reset(out.buffer(), out.start(), out.length(), null);
        return in;
    }

    /** Returns what was written as hexadecimal digits. */
    String hex() {
        byte[] bytes = new byte[out.length()];
        out.buffer().get(out.start(), bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns true when nothing outside the capacity was touched. */
    boolean isIntactAround() {
        for (int i = 0; i < MARGIN; i++) {
            if (memory.get(i) != CANARY || memory.get(MARGIN + capacity + i) != CANARY) {
                return false;
            }
        }
        return true;
    }
}
