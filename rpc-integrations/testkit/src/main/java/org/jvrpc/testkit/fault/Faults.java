package org.jvrpc.testkit.fault;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;

/**
 * What goes wrong with the calls of the test kit's stubs. The first rule that befalls a call is what becomes of it;
 * counts of other rules go on. Equal seeds and equal orders of calls give equal faults. They stand within a client's
 * retries and hedging: each attempt is a call to them, and a client makes again what it would make again had the
 * network done it. Many threads.
 */
public final class Faults {

    private static final long MIX = 0xbf58476d1ce4e5b9L;

    private final long seed;
    private final Victims victims;
    private final List<FaultRule> rules = new ArrayList<>();
    private long struck;
    private long attempts;

    /** @param victims what may be ended */
    public Faults(long seed, Victims victims) {
        this.seed = seed;
        this.victims = victims;
    }

    /** Returns by what calls are chosen. */
    public long seed() {
        return seed;
    }

    /**
     * Begins a rule.
     *
     * @param methods {@code find}, {@code find(long)}, {@code org.acme.Orders/find}, {@code org.acme.Orders/*} or
     *     {@code *}
     */
    public synchronized FaultRule on(String methods) {
        FaultRule rule = new FaultRule(this, methods, seed ^ MIX * (rules.size() + 1));
        rules.add(rule);
        return rule;
    }

    /** Begins a rule for all calls. */
    public FaultRule onAll() {
        return on("*");
    }

    /** Lets everything go right from now on. */
    public synchronized void clear() {
        rules.clear();
        struck = 0;
        attempts = 0;
    }

    /** Returns how many attempts stubs made since the last {@link #clear}, whatever befell them. */
    public synchronized long attempts() {
        return attempts;
    }

    /** Returns how many of them something befell. */
    public synchronized long struck() {
        return struck;
    }

    /** Returns true where there are rules. */
    public synchronized boolean isUsed() {
        return !rules.isEmpty();
    }

    synchronized Fault next(MethodDescriptor method) {
        attempts++;
        Fault first = null;
        for (FaultRule rule : rules) {
            Fault fault = rule.next(method);
            first = first == null ? fault : first;
        }
        struck += first == null ? 0 : 1;
        return first;
    }

    Victims victims() {
        return victims;
    }

    /** Returns a service, attempts of whose stubs suffer. */
    public <T> ServiceDescriptor<T> around(ServiceDescriptor<T> service) {
        return new FaultyService<>(service, service::stub, this);
    }

    /** As {@link #around}, with stubs of the asynchronous twin. */
    public <A> ServiceDescriptor<A> aroundAsync(ServiceDescriptor<?> service, Class<A> twin) {
        return new FaultyService<>(service, channel -> twin.cast(service.asyncStub(channel)), this);
    }
}
