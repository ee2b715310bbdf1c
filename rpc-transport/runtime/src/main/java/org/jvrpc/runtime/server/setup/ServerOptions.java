package org.jvrpc.runtime.server.setup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.guard.GuardOptions;
import org.jvrpc.runtime.offload.ServerOffloads;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Settings;

/** What a server is made with. A builder's state, read once. One thread. */
public final class ServerOptions {

    private final Settings settings = new Settings();
    private final ServiceTable services = new ServiceTable();
    private final List<ServerInterceptor> interceptors = new ArrayList<>();
    private final List<Consumer<ServerOffloads>> offloads = new ArrayList<>();
    private String address;
    private ExecutorService executor;
    private Admission admission = Admission.EVERYBODY;
    private SessionLimits limits = new SessionLimits();
    private boolean context;
    private boolean reflection;
    private boolean admin;
    private final GuardOptions guard = new GuardOptions();
    private LongConsumer sessionEnd = id -> { };

    public Settings settings() {
        return settings;
    }

    /** Adds a service. @throws IllegalArgumentException when there is one of its name */
    public <T> void service(ServiceDescriptor<T> descriptor, T implementation) {
        services.add(descriptor, implementation);
    }

    public boolean hasServices() {
        return !services.isEmpty();
    }

    public ServiceTable services() {
        return services;
    }

    /** Returns the interceptors, the outermost first, to be added to. */
    public List<ServerInterceptor> interceptors() {
        return interceptors;
    }

    /** Returns what is offered to programs when the server is made, to be added to. */
    public List<Consumer<ServerOffloads>> offloads() {
        return offloads;
    }

    public void address(String value) {
        address = value;
    }

    public String address() {
        return address;
    }

    public void executor(ExecutorService value) {
        executor = value;
    }

    /** Returns where heavy methods run, or null for a pool of the server's own. */
    public ExecutorService executor() {
        return executor;
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

    /** Returns who may do what, to be changed. */
    public GuardOptions guard() {
        return guard;
    }

    public void context(boolean value) {
        context = value;
    }

    /** Returns true when handlers may ask for the call that they handle. */
    public boolean context() {
        return context;
    }

    public void reflection(boolean value) {
        reflection = value;
    }

    /** Returns true when clients may ask which services there are. */
    public boolean reflection() {
        return reflection;
    }

    public void admin(boolean value) {
        admin = value;
    }

    /** Returns true when clients may ask which sessions and settings there are. */
    public boolean admin() {
        return admin;
    }

    public void sessionEnd(LongConsumer value) {
        sessionEnd = value;
    }

    /** Returns who hears the number of a session that ended. */
    public LongConsumer sessionEnd() {
        return sessionEnd;
    }
}
