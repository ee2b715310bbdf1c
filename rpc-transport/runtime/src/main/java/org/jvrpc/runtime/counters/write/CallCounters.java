package org.jvrpc.runtime.counters.write;

import java.util.Arrays;
import java.util.List;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;

/**
 * What a client's session counts: under its lock in the blocks of its methods, which count for the session, too.
 * Any thread.
 */
public final class CallCounters implements AutoCloseable {

    private final Endpoint endpoint;
    private final Lane lane;
    private final SessionBlock session;
    /** By the number on the wire, null where none is known. Callers saw the opening, which is behind it. */
    private MethodBlock[] methods = {};

    private CallCounters(Endpoint endpoint, String peer, int slots, int credits) {
        this.endpoint = endpoint;
        this.lane = endpoint.takeLane();
        this.session = endpoint.session(0, lane);
        session.slots(slots);
        session.credits(credits);
        session.begin(peer);
    }

    /** Makes those of a session. @param endpoint null where nothing is counted, then this returns null */
    public static CallCounters of(Endpoint endpoint, String peer, int slots, int credits) {
        return endpoint == null ? null : new CallCounters(endpoint, peer, slots, credits);
    }

    public SessionBlock session() {
        return session;
    }

    /** The session has a service's methods, numbered from there on. */
    public synchronized void open(int base, List<MethodDescriptor> descriptors) {
        MethodBlock[] more = Arrays.copyOf(methods, Math.max(methods.length, base + descriptors.size()));
        for (MethodDescriptor method : descriptors) {
            more[base + method.index()] = lane.method(method.service(), method.name());
        }
        methods = more;
    }

    /** Returns where calls of a method count; null for one that is not opened. */
    public MethodBlock method(int number) {
        MethodBlock[] all = methods;
        return number < all.length ? all[number] : null;
    }

    /** A call that was sent has ended with a declared exception. */
    public void thrown(MethodBlock method) {
        method.thrown();
        session.failed();
    }

    /** A call that was sent has failed. */
    public void failed(MethodBlock method, Status status) {
        method.failed(status);
        session.failed();
    }

    /** A call waits. */
    public void waits() {
        endpoint.waits();
        session.waits();
    }

    /** A thread sleeps until a call is answered. */
    public void sleeps() {
        endpoint.sleeps();
        session.sleeps();
    }

    /** The session is gone. */
    @Override
    public void close() {
        session.close();
        endpoint.giveLane(lane);
    }
}
