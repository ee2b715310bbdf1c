package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jvrpc.runtime.message.MessageClientCore;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.verbs.ConnectionException;

/**
 * A message session of a client that brings its own thread: it calls {@link #poll()} or {@link #poll(long)} again and
 * again, and the handler is called inside of it. {@link #send} and {@link #wakeup} are for any thread. The session
 * begins with the first poll; once it is over, connect anew.
 *
 * <p>Several threads may poll in turns, under a lock of theirs: one that has nothing else to do sleeps in
 * {@link #await}, without the lock, while the others poll for what they wait for. {@link #arm} and {@link #disarm}
 * say whether what comes is to wake the sleeper.
 */
public final class MessageClient implements AutoCloseable {

    private final MessageClientCore core;

    private MessageClient(MessageClientCore core) {
        this.core = core;
    }

    /** Begins a client of the server at an address, {@code scheme://…}. */
    public static Builder builder(String address, MessageHandler handler) {
        return new Builder(address, handler);
    }

    /** Builds a client. One thread. */
    public static final class Builder {

        private final String address;
        private final MessageHandler handler;
        private int window = 64;
        private int pieceBytes = 4096;
        private int maxFrameBytes = 16 << 20;
        private long timeoutNs = 5_000_000_000L;
        private boolean counted = Settings.countByDefault();

        private Builder(String address, MessageHandler handler) {
            this.address = Objects.requireNonNull(address, "address");
            this.handler = Objects.requireNonNull(handler, "handler");
        }

        /** Sets how many pieces may be under way each way, 4 to 1024, default 64; the server may grant less. */
        public Builder window(int pieces) {
            window = check("window", pieces, Protocol.MESSAGES.minUnits(), Protocol.MESSAGES.maxUnits());
            return this;
        }

        /**
         * Sets the length of a piece in bytes, 256 to 1 MiB, default 4 KiB: what longer frames are cut into. The server
         * may grant less.
         */
        public Builder pieceBytes(int bytes) {
            pieceBytes = check("pieceBytes", bytes, Protocol.MIN_UNIT_BYTES, Protocol.MAX_UNIT_BYTES);
            return this;
        }

        /** Sets the longest frame that is taken, in bytes, 1 to 1 GiB; default 16 MiB. */
        public Builder maxFrameBytes(int bytes) {
            maxFrameBytes = MessageServer.checkFrame(bytes);
            return this;
        }

        /** Sets how long connecting may take; default 5 s. */
        public Builder timeout(Duration timeout) {
            timeoutNs = timeout.toNanos();
            return this;
        }

        /**
         * Says whether frames are counted where {@link org.jvrpc.runtime.counters.Counters} and {@code jvrpc top} read,
         * as calls of {@code jvrpc.Messages}; the default is yes, unless {@code -Djvrpc.counters=false}.
         */
        public Builder counters(boolean counts) {
            counted = counts;
            return this;
        }

        /**
         * Connects.
         *
         * @throws ConnectionException when there is no server, or it does not answer in time
         * @throws org.jvrpc.api.RpcException when it refuses: the message says why
         * @throws org.jvrpc.verbs.VerbsException when this side has no memory for the session
         */
        public MessageClient connect() {
            return new MessageClient(new MessageClientCore(address, handler,
                    Hello.request(Protocol.MESSAGES, window, pieceBytes, maxFrameBytes), timeoutNs, counted));
        }

        private static int check(String name, int value, int low, int high) {
            if (value < low || value > high) {
                throw new IllegalArgumentException(name + " must be " + low + " to " + high + ", " + name + "="
                        + value);
            }
            return value;
        }
    }

    /** Returns the session, for everything but polling. */
    public MessageSession session() {
        return core.session();
    }

    /** See {@link MessageSession#send}. Any thread. */
    public boolean send(ByteBuffer... pieces) {
        return core.session().send(pieces);
    }

    /**
     * Takes what came and calls the handler. One thread. That the peer is gone without a word is noticed by
     * {@link #poll(long)} and {@link #await} only: call one of them now and then.
     *
     * @return how much there was to do, 0 for nothing
     */
    public int poll() {
        return core.poll();
    }

    /**
     * As {@link #poll()}; when there is nothing to do, sleeps until there is, {@link #wakeup} is called, or time is
     * over. For the lowest latency, poll for a while before sleeping. One thread.
     *
     * @param timeoutNs the longest wait in nanoseconds
     * @return how much there was to do, 0 for nothing
     */
    public int poll(long timeoutNs) {
        return core.poll(timeoutNs);
    }

    /** Has what comes from now on end {@link #await}. Poll once more before the wait. A thread that may poll. */
    public void arm() {
        core.arm();
    }

    /** Has what comes wake nobody. A thread that may poll. */
    public void disarm() {
        core.disarm();
    }

    /**
     * Sleeps until something comes while {@link #arm} holds, the peer dies, {@link #wakeup} is called, or time is over.
     * One thread at a time; others may poll meanwhile.
     *
     * @param timeoutNs the longest wait in nanoseconds
     */
    public void await(long timeoutNs) {
        core.await(timeoutNs);
    }

    /** Ends the wait of now, or the next one. Any thread. */
    public void wakeup() {
        core.wakeup();
    }

    /**
     * Ends the session at once, without what is queued, and gives everything back; what was sent to another host is
     * waited for, a second at most. The thread that polls, or after it stopped. Idempotent.
     */
    @Override
    public void close() {
        core.close();
    }
}
