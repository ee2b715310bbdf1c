package org.jvrpc.runtime.counters.write;

import java.util.Arrays;
import java.util.List;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;

/** What a client's session counts. Under the session's lock, except for what is said to be for any thread. */
public final class CallCounters implements AutoCloseable {

    private final Endpoint endpoint;
    private final Lane lane;
    private final SessionBlock session;
    /** By the number on the wire, null where none is known. Callers saw the opening; the lock shows it on. */
    private MethodBlock[] methods = {};

    private CallCounters(Endpoint endpoint, String peer, int slots, int credits) {
        this.endpoint = endpoint;
        this.lane = endpoint.takeLane();
        this.session = endpoint.session(0);
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

    /** The session has a service's methods, numbered from there on. Any thread. */
    public synchronized void open(int base, List<MethodDescriptor> descriptors) {
        MethodBlock[] more = Arrays.copyOf(methods, Math.max(methods.length, base + descriptors.size()));
        for (MethodDescriptor method : descriptors) {
            more[base + method.index()] = lane.method(method.service(), method.name());
        }
        methods = more;
    }

    private MethodBlock find(int number) {
        MethodBlock[] all = methods;
        return number < all.length ? all[number] : null;
    }

    /** A call is to be sent. Returns for how many it is timed, or 0 where it is not. */
    public int begins(int number) {
        MethodBlock method = find(number);
        return method == null ? 0 : method.begins();
    }

    /** A call was sent. */
    public void sent(int number, int bytes) {
        MethodBlock method = find(number);
        if (method != null) {
            method.left(bytes);
            session.begins();
            session.left(bytes);
        }
    }

    /** A call has its answer, and returned. */
    public void returned(int number, int bytes) {
        MethodBlock method = find(number);
        if (method != null) {
            method.succeeded();
            method.came(bytes);
            session.returned();
            session.came(bytes);
        }
    }

    /** A call that is timed has its answer. */
    public void took(int number, long ns, int weight) {
        MethodBlock method = find(number);
        if (method != null) {
            method.took(ns, weight);
        }
    }

    /** A call that was sent has ended with a declared exception. Any thread. */
    public void thrown(int number) {
        MethodBlock method = find(number);
        if (method != null) {
            method.thrown();
            session.failed();
        }
    }

    /** A call that was sent has failed. Any thread. */
    public void failed(int number, Status status) {
        MethodBlock method = find(number);
        if (method != null) {
            method.failed(status);
            session.failed();
        }
    }

    /** A call waits. Any thread. */
    public void waits() {
        endpoint.waits();
        session.waits();
    }

    /** A thread sleeps until a call is answered. Any thread. */
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
