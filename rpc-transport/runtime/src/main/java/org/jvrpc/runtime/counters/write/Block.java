package org.jvrpc.runtime.counters.write;

import java.nio.ByteBuffer;
import org.jvrpc.runtime.counters.CounterLayout;
import org.jvrpc.runtime.counters.CounterMemory;
import org.jvrpc.runtime.thread.Clock;

/** A block of the store; where that has no room, memory of its own that nobody reads. */
abstract class Block {

    final ByteBuffer memory;
    final int at;
    private final CounterStore store;
    private final boolean isRead;

    Block(CounterStore store, int kind, int bytes, int owner, int lane) {
        int taken = store.take(kind, bytes, owner, lane, Clock.epochMillis());
        this.store = store;
        this.isRead = taken >= 0;
        this.memory = isRead ? store.memory() : ByteBuffer.allocateDirect(bytes);
        this.at = Math.max(taken, 0);
    }

    final void text(int offset, int most, String text) {
        CounterMemory.putText(memory, at + offset, most, text);
    }

    /** Has others read it, whose texts are written. */
    final void publish() {
        if (isRead) {
            store.publish(at);
        }
    }

    /** Returns false where the store had no room. */
    final boolean isRead() {
        return isRead;
    }

    final void free() {
        if (isRead) {
            store.give(at);
        }
    }

    /** Adds to a counter of which the caller is the one writer. */
    final void add(int counter, long more) {
        CounterMemory.add(memory, at + counter, more);
    }

    /** Adds to a counter that several write. Returns what it is then. */
    final long addShared(int counter, long more) {
        return CounterMemory.addShared(memory, at + counter, more);
    }

    final long get(int counter) {
        return CounterMemory.get(memory, at + counter);
    }

    final void set(int counter, long value) {
        CounterMemory.set(memory, at + counter, value);
    }

    /** Returns the number of the endpoint that it belongs to; 0, which none has, where nobody reads it. */
    final int owner() {
        return CounterMemory.getInt(memory, at + CounterLayout.OWNER);
    }
}
