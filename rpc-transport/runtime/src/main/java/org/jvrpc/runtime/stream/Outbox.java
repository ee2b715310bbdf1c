package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;
import org.jvrpc.runtime.stream.memory.StreamMemory;

/** Messages that leave piece by piece, one behind the other, before all else of their stream. Under its monitor. */
final class Outbox {

    private Message head;

    /** One of them. */
    static final class Message {

        private final int kind;
        private final ByteBuffer bytes;
        private final int end;
        private int at;
        private Message next;

        /** @param bytes its own, from 0 to {@code length} */
        Message(int kind, ByteBuffer bytes, int length) {
            this.kind = kind;
            this.bytes = bytes;
            this.end = length;
        }

        /** Sends what there is room for; true when the last piece has left. */
        boolean send(Stream stream) {
            do {
                int length = Math.min(end - at, stream.session().pieceBytes());
                if (!stream.send(kind, end - at, bytes, at, length)) {
                    return false;
                }
                at += length;
            } while (at < end);
            return true;
        }
    }

    /** Adds a message, whose bytes are given back to {@code memory} when they have left. */
    void add(int kind, ByteBuffer bytes, int length) {
        Message added = new Message(kind, bytes, length);
        Message last = head;
        while (last != null && last.next != null) {
            last = last.next;
        }
        if (last == null) {
            head = added;
        } else {
            last.next = added;
        }
    }

    /** Sends what there is room for; true when all have left. */
    boolean send(Stream stream) {
        while (head != null) {
            if (!head.send(stream)) {
                return false;
            }
            release(stream.session().memory());
        }
        return true;
    }

    private void release(StreamMemory memory) {
        if (head.bytes.capacity() > 0) {
            memory.give(head.bytes);
        }
        head = head.next;
    }

    /** Returns true when there is a message of which the peer has heard nothing. */
    boolean isUnbegun() {
        return head != null && head.at == 0;
    }

    /** Sends no more of them. */
    void drop(StreamMemory memory) {
        while (head != null) {
            release(memory);
        }
    }
}
