package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;

/** A message that leaves piece by piece. Under its stream's monitor. */
final class Message {

    final int kind;
    final ByteBuffer bytes;
    final int end;
    int at;
    /** Which leaves behind it, or null. */
    Message next;

    /** @param bytes its own, from 0 to {@code length} */
    Message(int kind, ByteBuffer bytes, int length) {
        this.kind = kind;
        this.bytes = bytes;
        this.end = length;
    }

    void append(Message message) {
        Message last = this;
        while (last.next != null) {
            last = last.next;
        }
        last.next = message;
    }
}
