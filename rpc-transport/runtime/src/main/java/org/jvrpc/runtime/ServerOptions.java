package org.jvrpc.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jvrpc.api.ServerInterceptor;

/** What a server is made with. A builder's state, read once. One thread. */
final class ServerOptions {

    private final Settings settings = new Settings();
    private final ServiceTable services = new ServiceTable();
    private final List<ServerInterceptor> interceptors = new ArrayList<>();
    private final List<Consumer<ServerOffloads>> offloads = new ArrayList<>();
    private String address;
    private ExecutorService executor;
    private Admission admission = Admission.EVERYBODY;
    private SessionLimits limits = new SessionLimits();
    private boolean context;
    private LongConsumer sessionEnd = id -> { };

    Settings settings() {
        return settings;
    }

    ServiceTable services() {
        return services;
    }

    /** Returns the interceptors, the outermost first, to be added to. */
    List<ServerInterceptor> interceptors() {
        return interceptors;
    }

    /** Returns what is offered to programs when the server is made, to be added to. */
    List<Consumer<ServerOffloads>> offloads() {
        return offloads;
    }

    void address(String value) {
        address = value;
    }

    String address() {
        return address;
    }

    void executor(ExecutorService value) {
        executor = value;
    }

    /** Returns where heavy methods run, or null for a pool of the server's own. */
    ExecutorService executor() {
        return executor;
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

    void context(boolean value) {
        context = value;
    }

    /** Returns true when handlers may ask for the call that they handle. */
    boolean context() {
        return context;
    }

    void sessionEnd(LongConsumer value) {
        sessionEnd = value;
    }

    /** Returns who hears the number of a session that ended. */
    LongConsumer sessionEnd() {
        return sessionEnd;
    }
}
