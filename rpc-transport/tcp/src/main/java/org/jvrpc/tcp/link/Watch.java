package org.jvrpc.tcp.link;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jvrpc.runtime.thread.Clock;

/** What of a stream wakes who waits. Any thread. */
final class Watch implements StreamEvents.Ready {

    static final long AGAIN_NS = 10_000_000;
    /** Polls in a row that find nothing, after which a look costs too much where there are many links. */
    private static final int POLLS_UNTIL_COLD = 64;

    private final StreamEvents events;
    private final boolean once;
    private SelectionKey key;
    private volatile int interest = SelectionKey.OP_READ;
    private volatile boolean ready;
    private volatile boolean armed;
    private long seen = -1;
    private int emptyPolls;

    /** @param once what comes wakes once, until it is asked for again */
    Watch(StreamEvents events, boolean once) {
        this.events = events;
        this.once = once;
    }

    void begin(SocketChannel channel) throws IOException {
        begin(events.register(channel, SelectionKey.OP_READ, this));
        events.wakeup(); // whoever waits already waits for those that were there when it began
    }

    void begin(SelectionKey made) {
        key = made;
    }

    @Override
    public void ready() {
        ready = true;
        if (once) {
            interest(0);
        }
    }

    /**
     * Returns false for a link that is silent among many, and not known to have something. One that other threads than
     * the one that waits poll, too, is always worth it. The polling thread.
     */
    boolean isWorthALook(Clock clock) {
        return once || emptyPolls < POLLS_UNTIL_COLD || ready || !events.isCrowded() || events.look(clock) && ready;
    }

    /** Somebody looked, and found something or nothing. The polling thread. */
    void found(boolean something) {
        emptyPolls = something ? 0 : Math.min(emptyPolls + 1, POLLS_UNTIL_COLD);
    }

    boolean isReady() {
        return ready;
    }

    /** Somebody reads. */
    void read() {
        ready = false;
        if (!once && (interest & SelectionKey.OP_READ) == 0) {
            interest(interest | SelectionKey.OP_READ);
        }
    }

    /**
     * Has it wake who waits. While there is no room, of what somebody was told of and has not read since nobody is told
     * again: whoever reads nothing until there is room is woken by that.
     */
    void arm(boolean full) {
        armed = true;
        int read = full && !once && ready ? 0 : SelectionKey.OP_READ;
        interest(full ? read | SelectionKey.OP_WRITE : read);
    }

    /** There is none any more: a look behind the arming sends, too. */
    void noRoom() {
        if (armed) {
            arm(true);
        }
    }

    void interest(int operations) {
        if (interest != operations) {
            change(operations);
        }
    }

    /** One at a time: who leads is told of something while the event thread looks, and both change it. */
    private synchronized void change(int operations) {
        interest = operations;
        try {
            key.interestOps(operations);
        } catch (CancelledKeyException e) {
            ready = true; // it is closed, which a look tells
        }
    }

    /** The waiting for room is over. */
    void calm() {
        armed = false;
        if (interest > SelectionKey.OP_READ) {
            interest(SelectionKey.OP_READ);
        }
    }

    /**
     * While there is traffic, who polls sees what comes; to be woken for each message would cost more than it takes.
     *
     * @param reads changes when something comes
     * @return after how long to look again
     */
    long look(long reads) {
        if (reads != seen) {
            seen = reads;
            return AGAIN_NS;
        }
        interest(SelectionKey.OP_READ);
        return Long.MAX_VALUE;
    }

    /** Whoever waits takes the channel off, which is closed only then. */
    void end() {
        if (key != null) {
            events.forget();
        }
    }
}
