package org.jvrpc.runtime.session;

import java.time.Duration;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.runtime.thread.Environment;

/** Limits and manners of a client or a server. A builder's state, copied when it builds. One thread. */
public final class Settings {

    public static final int MIN_SLOT_BYTES = 256;
    static final int MAX_SLOT_BYTES = 1 << 20;
    public static final long MAX_BODY_BYTES = 1L << 30;
    private static final int DEFAULT_SLOTS = 64;
    private static final int DEFAULT_INITIAL_SLOTS = 2;
    private static final int DEFAULT_SLOT_BYTES = 4096;
    private static final int DEFAULT_QUEUED_CALLS = 1 << 14;
    private static final int MAX_QUEUED_CALLS = 1 << 20;
    private static final int MAX_POLLERS = 64;
    public static final long DEFAULT_KEEP_ALIVE_NS = Duration.ofSeconds(60).toNanos();
    private static final int DEFAULT_STREAM_WINDOW = 1 << 18;
    private static final long DEFAULT_SESSION_BYTES = 64L << 20;

    private int slots = DEFAULT_SLOTS;
    private int initialSlots = DEFAULT_INITIAL_SLOTS;
    private int slotBytes = DEFAULT_SLOT_BYTES;
    private long maxBodyBytes = MAX_BODY_BYTES;
    private long deadlineNs = Duration.ofSeconds(30).toNanos();
    private long connectTimeoutNs = Duration.ofSeconds(5).toNanos();
    private IdleStrategy idle = IdleStrategy.ADAPTIVE;
    private boolean reconnect = true;
    private long renewAfterNs = 1_000_000_000;
    private int offloadConnections = 4;
    private long offloadWaitNs;
    private int queuedCalls = DEFAULT_QUEUED_CALLS;
    private int pollers = 1;
    private long keepAliveNs = DEFAULT_KEEP_ALIVE_NS;
    private boolean plainCredentials;
    private int streamWindow = DEFAULT_STREAM_WINDOW;
    private boolean objectGraphs;
    private boolean counters = countByDefault();
    private Environment environment = Environment.SYSTEM;

    public Settings copy() {
        Settings copy = new Settings();
        copy.slots = slots;
        copy.initialSlots = initialSlots;
        copy.slotBytes = slotBytes;
        copy.maxBodyBytes = maxBodyBytes;
        copy.deadlineNs = deadlineNs;
        copy.connectTimeoutNs = connectTimeoutNs;
        copy.idle = idle;
        copy.reconnect = reconnect;
        copy.renewAfterNs = renewAfterNs;
        copy.offloadConnections = offloadConnections;
        copy.offloadWaitNs = offloadWaitNs;
        copy.queuedCalls = queuedCalls;
        copy.pollers = pollers;
        copy.keepAliveNs = keepAliveNs;
        copy.plainCredentials = plainCredentials;
        copy.streamWindow = streamWindow;
        copy.objectGraphs = objectGraphs;
        copy.counters = counters;
        copy.environment = environment;
        return copy;
    }

    private static long inRange(String name, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " must be " + low + " to " + high + ", " + name + "=" + value);
        }
        return value;
    }

    public void slots(int value) {
        slots = (int) inRange("slots", value, 1, RpcHeader.MAX_SLOTS);
    }

    public int slots() {
        return slots;
    }

    public void initialSlots(int value) {
        initialSlots = (int) inRange("initialSlots", value, 1, RpcHeader.MAX_SLOTS);
    }

    /** Returns how many slots there are at first, where that is fewer than {@link #slots}. */
    public int initialSlots() {
        return initialSlots;
    }

    public void slotBytes(int value) {
        slotBytes = (int) inRange("slotBytes", value, MIN_SLOT_BYTES, MAX_SLOT_BYTES);
    }

    public int slotBytes() {
        return slotBytes;
    }

    /** @throws IllegalArgumentException when the slots of a session are more than servers grant */
    public void checkSession() {
        if ((long) slots * slotBytes > maxSessionBytes()) {
            throw new IllegalArgumentException("slots=" + slots + " of slotBytes=" + slotBytes + " are bytes="
                    + (long) slots * slotBytes + ", limit=" + maxSessionBytes());
        }
    }

    public void maxBodyBytes(long value) {
        maxBodyBytes = inRange("maxBodyBytes", value, MAX_SLOT_BYTES, MAX_BODY_BYTES);
    }

    public long maxBodyBytes() {
        return maxBodyBytes;
    }

    public void deadline(Duration value) {
        deadlineNs = inRange("deadline in ns", value.toNanos(), 1, Long.MAX_VALUE / 4);
    }

    public long deadlineNs() {
        return deadlineNs;
    }

    public void connectTimeout(Duration value) {
        connectTimeoutNs = inRange("connectTimeout in ns", value.toNanos(), 1, Long.MAX_VALUE / 4);
    }

    public long connectTimeoutNs() {
        return connectTimeoutNs;
    }

    public void idle(IdleStrategy value) {
        idle = java.util.Objects.requireNonNull(value, "idle");
    }

    public IdleStrategy idle() {
        return idle;
    }

    public void pollers(int value) {
        pollers = (int) inRange("pollers", value, 1, MAX_POLLERS);
    }

    /** Returns how many threads of a server poll its sessions. */
    public int pollers() {
        return pollers;
    }

    public void reconnect(boolean value) {
        reconnect = value;
    }

    public boolean reconnect() {
        return reconnect;
    }

    public void renewAfter(Duration value) {
        renewAfterNs = inRange("renewAfter in ns", value.toNanos(), 1_000_000, 3_600_000_000_000L);
    }

    public long renewAfterNs() {
        return renewAfterNs;
    }

    public void offloadConnections(int value) {
        inRange("offloadConnections", value, 0, 64);
        if (Integer.bitCount(value) > 1) {
            throw new IllegalArgumentException("offloadConnections must be 0 or a power of two, offloadConnections="
                    + value);
        }
        offloadConnections = value;
    }

    public int offloadConnections() {
        return offloadConnections;
    }

    public void offloadWait(Duration value) {
        offloadWaitNs = inRange("offloadWait in ns", value.toNanos(), 1, Long.MAX_VALUE / 4);
    }

    /** Returns 0 where nothing was set: calls find out. */
    public long offloadWaitNs() {
        return offloadWaitNs;
    }

    public void queuedCalls(int value) {
        queuedCalls = (int) inRange("queuedCalls", value, 1, MAX_QUEUED_CALLS);
    }

    public int queuedCalls() {
        return queuedCalls;
    }

    public void keepAlive(Duration value) {
        keepAliveNs = checkKeepAlive(value);
    }

    public static long checkKeepAlive(Duration value) {
        return inRange("keepAlive in ns", value.toNanos(), Duration.ofMillis(100).toNanos(),
                Duration.ofDays(1).toNanos());
    }

    public long keepAliveNs() {
        return keepAliveNs;
    }

    long maxSessionBytes() {
        return DEFAULT_SESSION_BYTES;
    }

    public void streamWindow(int bytes) {
        streamWindow = (int) inRange("streamWindow", bytes, 1 << 12, 1 << 26);
    }

    /** Returns how many bytes of a stream may wait at its receiver, which is also the longest element. */
    public int streamWindow() {
        return streamWindow;
    }

    /** For tests, which bring a clock or threads of their own. */
    public void environment(Environment value) {
        environment = value;
    }

    public Environment environment() {
        return environment;
    }

    public void objectGraphs(boolean value) {
        objectGraphs = value;
    }

    /** Returns true when object graphs are written and read over networks, too. */
    public boolean objectGraphs() {
        return objectGraphs;
    }

    /** Returns whether those count whose builder does not say. */
    public static boolean countByDefault() {
        return !"false".equals(System.getProperty(Counters.PROPERTY));
    }

    public void counters(boolean value) {
        counters = value;
    }

    /** Returns true when calls are counted; where time is not the system's they are not. */
    public boolean counters() {
        return counters && environment == Environment.SYSTEM;
    }

    public void plainCredentials(boolean value) {
        plainCredentials = value;
    }

    /** Returns true when calls show who makes them also where all could read that. */
    public boolean plainCredentials() {
        return plainCredentials;
    }
}
