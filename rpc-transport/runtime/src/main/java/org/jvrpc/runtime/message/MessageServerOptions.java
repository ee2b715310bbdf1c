package org.jvrpc.runtime.message;

import java.time.Duration;
import java.util.function.Supplier;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.guard.GuardOptions;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Idler;

/** What a message server is made with. A builder's state, read once. One thread. */
public final class MessageServerOptions {

    private String address;
    private Supplier<MessageHandler> handlers;
    private int maxFrameBytes = 16 << 20;
    private IdleStrategy idle = IdleStrategy.ADAPTIVE;
    private Duration spin;
    private Environment environment = Environment.SYSTEM;
    private Admission admission = Admission.EVERYBODY;
    private SessionLimits limits = new SessionLimits();
    private final GuardOptions guard = new GuardOptions();
    private long keepAliveNs = Settings.DEFAULT_KEEP_ALIVE_NS;
    private boolean counters = Settings.countByDefault();
    private long queuedBytes = QueueBudget.SESSION_BYTES;
    private long allQueuedBytes = QueueBudget.SERVER_BYTES;

    public void address(String value) {
        address = value;
    }

    public String address() {
        return address;
    }

    public void handlers(Supplier<MessageHandler> value) {
        handlers = value;
    }

    public Supplier<MessageHandler> handlers() {
        return handlers;
    }

    public void maxFrameBytes(int value) {
        maxFrameBytes = value;
    }

    public int maxFrameBytes() {
        return maxFrameBytes;
    }

    public void admission(Admission value) {
        admission = value;
    }

    public Admission admission() {
        return admission;
    }

    public void limits(SessionLimits value) {
        limits = value;
    }

    public SessionLimits limits() {
        return limits;
    }

    /** Returns what its guard is made with. */
    public GuardOptions guard() {
        return guard;
    }

    public void keepAliveNs(long value) {
        keepAliveNs = value;
    }

    public long keepAliveNs() {
        return keepAliveNs;
    }

    /** @throws IllegalArgumentException when they are too small */
    public void maxQueuedBytes(long perSession, long inAll) {
        if (perSession < 1 << 16 || inAll < perSession) {
            throw new IllegalArgumentException("maxQueuedBytes must be at least " + (1 << 16)
                    + " for a session and no less in all, perSession=" + perSession + " inAll=" + inAll);
        }
        queuedBytes = perSession;
        allQueuedBytes = inAll;
    }

    public void counters(boolean value) {
        counters = value;
    }

    /** Returns true when frames are counted; where time is not the system's they are not. */
    boolean counters() {
        return counters && environment == Environment.SYSTEM;
    }

    QueueBudget queueBudget() {
        return new QueueBudget(queuedBytes, allQueuedBytes);
    }

    /** For tests, which bring a clock or threads of their own. */
    void environment(Environment value) {
        environment = value;
    }

    Environment environment() {
        return environment;
    }

    public void idle(IdleStrategy value) {
        idle = value;
    }

    public void spin(Duration value) {
        spin = value;
    }

    Idler idler() {
        return spin == null ? Idler.ofPoller(idle, environment.clock()) : Idler.spinning(spin.toNanos());
    }
}
