package org.jvrpc.testkit.fault;

import java.time.Duration;
import java.util.SplittableRandom;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;

/**
 * Which calls something befalls, and what: {@code faults.on("find").probability(0.1).status(UNAVAILABLE)}. Without a
 * choice it befalls every call. Whether it befalls the nth call that it is asked about depends on the seed, the number
 * of the rule and n alone.
 */
public final class FaultRule {

    private static final long MIX = 0x9e3779b97f4a7c15L;

    private final Faults faults;
    private final String methods;
    private final long seed;
    private double probability = 1;
    private long first = Long.MAX_VALUE;
    private long every = 1;
    private long nth;
    private long asked;
    private Fault fault;

    FaultRule(Faults faults, String methods, long seed) {
        this.faults = faults;
        this.methods = methods;
        this.seed = seed;
    }

    /** Befalls calls with a probability from 0 to 1. */
    public FaultRule probability(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a probability is from 0 to 1, not " + share);
        }
        probability = share;
        return this;
    }

    /** Befalls the first so many calls alone. */
    public FaultRule first(long count) {
        first = positive(count);
        return this;
    }

    /** Befalls one call alone, by its number from 1. */
    public FaultRule nth(long number) {
        nth = positive(number);
        return this;
    }

    /** Befalls each so manieth call. */
    public FaultRule every(long count) {
        every = positive(count);
        return this;
    }

    private static long positive(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("a count of calls is 1 or more, not " + count);
        }
        return count;
    }

    /** Holds calls up before they leave, and the answers of asynchronous ones. */
    public Faults delay(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a delay is not negative: " + time);
        }
        return is(new Fault(Fault.Kind.DELAY, time.toNanos(), null));
    }

    /** Loses calls: their callers wait until their time is over, and streams for ever. */
    public Faults drop() {
        return is(new Fault(Fault.Kind.DROP, 0, null));
    }

    /**
     * Loses answers, failures of handlers among them: calls run, and their callers wait until their time is over. A
     * call that is refused before it runs has none to lose. Streams are lost as a whole.
     */
    public Faults dropAnswer() {
        return is(new Fault(Fault.Kind.DROP_ANSWER, 0, null));
    }

    /** Has calls fail before they leave; clients know that they did not run. */
    public Faults status(Status status, String message) {
        return is(new Fault(Fault.Kind.STATUS, 0, RpcException.notRun(status, message)));
    }

    /**
     * Has calls run, and fail with this whatever their handlers did; clients cannot tell whether they ran. A call that
     * is refused before it runs fails with its refusal. Streams fail as by {@link #status}.
     */
    public Faults answerStatus(Status status, String message) {
        return is(new Fault(Fault.Kind.ANSWER_STATUS, 0, new RpcException(status, message)));
    }

    /** Ends the server's sessions as a call leaves, which fails with UNAVAILABLE. */
    public Faults killSessions() {
        return is(new Fault(Fault.Kind.KILL_SESSIONS, 0, null));
    }

    /** Ends the server as a call leaves, which fails with UNAVAILABLE, as those that follow. */
    public Faults killServer() {
        return is(new Fault(Fault.Kind.KILL_SERVER, 0, null));
    }

    /** Ends the server as a call leaves, which fails with UNAVAILABLE, and starts another at its address. */
    public Faults restartServer() {
        return is(new Fault(Fault.Kind.RESTART_SERVER, 0, null));
    }

    private synchronized Faults is(Fault what) {
        fault = what;
        return faults;
    }

    /** Returns what befalls a call; null for nothing. */
    synchronized Fault next(MethodDescriptor method) {
        if (fault == null || !means(method)) {
            return null;
        }
        long number = ++asked;
        boolean befalls = number <= first && number % every == 0 && (nth == 0 || nth == number)
                && (probability == 1 || new SplittableRandom(seed + MIX * number).nextDouble() < probability);
        return befalls ? fault : null;
    }

    private boolean means(MethodDescriptor method) {
        return methods.equals("*") || methods.equals(method.name()) || methods.equals(method.fullName())
                || methods.equals(method.service() + "/*")
                || methods.endsWith(")") && method.signature().startsWith(methods);
    }
}
