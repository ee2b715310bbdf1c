package org.jvrpc.testkit.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;

/**
 * What goes wrong with the calls of the test kit's stubs. The first rule that befalls a call is what becomes of it;
 * counts of other rules go on. Equal seeds and equal orders of calls give equal faults. They stand around a client's
 * retries, which make none of these calls again, but those that a killed session or server took with it. Many threads.
 */
public final class Faults {

    private static final long MIX = 0xbf58476d1ce4e5b9L;

    private final long seed;
    private final Victims victims;
    private final List<FaultRule> rules = new ArrayList<>();
    private long struck;

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
    }

    /** Returns how many calls something befell. */
    public synchronized long struck() {
        return struck;
    }

    /** Returns true where there are rules. */
    public synchronized boolean isUsed() {
        return !rules.isEmpty();
    }

    synchronized Fault next(MethodDescriptor method) {
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

    /**
     * Returns a service whose stubs suffer.
     *
     * @param defaultDeadlineNs of calls whose options and methods have none
     */
    public <T> ServiceDescriptor<T> around(ServiceDescriptor<T> service, CallOptions options, long defaultDeadlineNs) {
        return new FaultyService<>(service, service::stub, channel(options, defaultDeadlineNs));
    }

    /** As {@link #around}, with stubs of the asynchronous twin. */
    public <A> ServiceDescriptor<A> aroundAsync(ServiceDescriptor<?> service, Class<A> twin, CallOptions options,
            long defaultDeadlineNs) {
        return new FaultyService<>(service, channel -> twin.cast(service.asyncStub(channel)),
                channel(options, defaultDeadlineNs));
    }

    private UnaryOperator<RpcChannel> channel(CallOptions options, long defaultDeadlineNs) {
        return channel -> new FaultyChannel(channel, this,
                options.deadlineNs() > 0 ? options.deadlineNs() : 0, defaultDeadlineNs);
    }
}
