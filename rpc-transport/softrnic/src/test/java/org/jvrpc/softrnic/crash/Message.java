package org.jvrpc.softrnic.crash;

import java.nio.ByteBuffer;

/** The bytes of a message: its number, then bytes that depend on it and on their place. */
final class Message {

    /** The number of what a READ is to find. */
    static final int TO_BE_READ = 77;

    private Message() {
    }

    static void write(ByteBuffer memory, int number) {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, at(number, i));
        }
    }

    /** @throws AssertionError unless all bytes are those of the number */
    static void check(ByteBuffer memory, int number) {
        for (int i = 0; i < memory.capacity(); i++) {
            if (memory.get(i) != at(number, i)) {
                throw new AssertionError("message " + number + " is torn: byte " + i + " of " + memory.capacity()
                        + " is " + memory.get(i) + " and not " + at(number, i));
            }
        }
    }

    private static byte at(int number, int place) {
        return (byte) (place == 0 ? number : 31 * number + 7 * place);
    }
}
