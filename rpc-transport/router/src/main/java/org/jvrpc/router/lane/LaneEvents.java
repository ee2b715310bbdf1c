package org.jvrpc.router.lane;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for messages in a resting worker's place: a thread of its own, as whoever makes lanes waits for others. */
final class LaneEvents implements Runnable, AutoCloseable {

    private static final long LONGEST_NS = 10_000_000_000L;
    private static final long END_MS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(LaneEvents.class);

    private final EventChannel channel;
    private final Thread thread = new Thread(this, "jvrpc-router-lane-events");
    private volatile Runnable told = () -> { };
    private volatile boolean closed;

    LaneEvents(Device device) {
        this.channel = device.createChannel();
        thread.setDaemon(true);
    }

    EventChannel channel() {
        return channel;
    }

    void start() {
        thread.start();
    }

    /** Has somebody told of each event from now on, who says that they sleep before they arm anything. Any thread. */
    void tell(Runnable owner) {
        told = owner;
    }

    /** Tells now. Any thread. */
    void tellNow() {
        told.run();
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                if (channel.await(LONGEST_NS)) {
                    tellNow();
                }
            } catch (RuntimeException e) {
                LOG.error("waiting for messages of other routers: ", e);
            }
        }
    }

    /** Ends the thread; the channel is its device's. Idempotent. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        channel.wakeup();
        try {
            thread.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
