package org.jvrpc.runtime.counters.write;

import java.util.HashMap;
import java.util.Map;

/** Blocks of an endpoint's methods that have one writer at a time. Making blocks is for any thread. */
public final class Lane {

    private final Endpoint endpoint;
    private final int number;
    private final int period;
    private final Map<String, MethodBlock> methods = new HashMap<>();

    Lane(Endpoint endpoint, int number, int period) {
        this.endpoint = endpoint;
        this.number = number;
        this.period = period;
    }

    /** Returns the block of a method, made where there is none. */
    public synchronized MethodBlock method(String service, String method) {
        return methods.computeIfAbsent(service + "/" + method, key -> endpoint.block(number, service, method, period));
    }

    int number() {
        return number;
    }

    /** Returns the sum of one of its methods' counters, without those that nobody reads. */
    synchronized long sum(int counter) {
        return methods.values().stream().filter(Block::isRead).mapToLong(method -> method.get(counter)).sum();
    }

    synchronized void free() {
        methods.values().forEach(Block::free);
        methods.clear();
    }
}
