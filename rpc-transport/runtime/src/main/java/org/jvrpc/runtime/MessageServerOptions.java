package org.jvrpc.runtime;

import java.time.Duration;
import java.util.function.Supplier;

/** What a message server is made with. A builder's state, read once. One thread. */
final class MessageServerOptions {

    private String address;
    private Supplier<MessageHandler> handlers;
    private int maxFrameBytes = 16 << 20;
    private IdleStrategy idle = IdleStrategy.ADAPTIVE;
    private Duration spin;
    private Admission admission = Admission.EVERYBODY;
    private SessionLimits limits = new SessionLimits();
    private long keepAliveNs = Settings.DEFAULT_KEEP_ALIVE_NS;
    private long queuedBytes = QueueBudget.SESSION_BYTES;
    private long allQueuedBytes = QueueBudget.SERVER_BYTES;

    void address(String value) {
        address = value;
    }

    String address() {
        return address;
    }

    void handlers(Supplier<MessageHandler> value) {
        handlers = value;
    }

    Supplier<MessageHandler> handlers() {
        return handlers;
    }

    void maxFrameBytes(int value) {
        maxFrameBytes = value;
    }

    int maxFrameBytes() {
        return maxFrameBytes;
    }

    void admission(Admission value) {
        admission = value;
    }

    Admission admission() {
        return admission;
    }

    void limits(SessionLimits value) {
        limits = value;
    }

    SessionLimits limits() {
        return limits;
    }

    void keepAliveNs(long value) {
        keepAliveNs = value;
    }

    long keepAliveNs() {
        return keepAliveNs;
    }

    /** @throws IllegalArgumentException when they are too small */
    void maxQueuedBytes(long perSession, long inAll) {
        if (perSession < 1 << 16 || inAll < perSession) {
            throw new IllegalArgumentException("maxQueuedBytes must be at least " + (1 << 16)
                    + " for a session and no less in all, perSession=" + perSession + " inAll=" + inAll);
        }
        queuedBytes = perSession;
        allQueuedBytes = inAll;
    }

    QueueBudget queueBudget() {
        return new QueueBudget(queuedBytes, allQueuedBytes);
    }

    void idle(IdleStrategy value) {
        idle = value;
    }

    void spin(Duration value) {
        spin = value;
    }

    Idler idler() {
        return spin == null ? Idler.ofPoller(idle) : Idler.spinning(spin.toNanos());
    }
}
