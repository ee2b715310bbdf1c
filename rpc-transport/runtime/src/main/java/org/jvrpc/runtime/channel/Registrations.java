package org.jvrpc.runtime.channel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jvrpc.runtime.channel.lookup.Providers;
import org.jvrpc.runtime.channel.lookup.Target;
import org.jvrpc.runtime.resolve.Registration;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.resolve.ServiceRegistryProvider;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.verbs.rare.Rare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a server is registered, from its start until it drains. Any thread. */
public final class Registrations {

    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);
    /** What a registry may take, less than a server that closes waits for its calls. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final long SOON_MS = 1000;

    /** A target, and what is changed in what it is told. */
    private record Wanted(String target, ServiceRegistryProvider registry, UnaryOperator<ServerEntry> change) {
    }

    private final List<Wanted> wanted = new ArrayList<>();
    private final List<Registration> made = new ArrayList<>();
    private Environment environment;
    private boolean left;

    /** @throws IllegalArgumentException when nobody knows the target's scheme */
    public void add(String target, UnaryOperator<ServerEntry> change) {
        int colon = target.indexOf("://");
        if (colon < 1) {
            throw new IllegalArgumentException("target=" + target + " is not scheme://…, as zk://ensemble/service is");
        }
        wanted.add(new Wanted(target, Providers.registry(target.substring(0, colon)), change));
    }

    public boolean isEmpty() {
        return wanted.isEmpty();
    }

    /**
     * Registers a server that takes calls.
     *
     * @param address where it is bound
     * @throws RuntimeException what a registry refuses with; then it is registered nowhere
     */
    public void register(String address, Environment world) {
        environment = world;
        if (wanted.isEmpty()) {
            return;
        }
        ServerEntry self = self(address);
        try {
            for (Wanted one : wanted) {
                ServerEntry entry = one.change.apply(self);
                entry.addresses().forEach(Registrations::checkReachable);
                ResolverContext context = Target.context(world.clock(), world.threads(), TIMEOUT,
                        ThreadLocalRandom.current()::nextLong);
                Registration registration = one.registry.register(one.target, entry, context);
                keep(registration);
                LOG.info("registered at {} as {}", one.target, entry.addresses());
            }
        } catch (RuntimeException | Error e) {
            leave();
            throw e;
        }
    }

    /** One that was made after all was left is left, too. */
    private void keep(Registration registration) {
        synchronized (this) {
            if (!left) {
                made.add(registration);
                return;
            }
        }
        registration.leave();
    }

    /** Returns what a server is known by unless its user says otherwise. */
    private static ServerEntry self(String address) {
        Map<String, String> attributes = new HashMap<>();
        if (!HostIdentity.own().isEmpty()) {
            attributes.put(ServerEntry.HOST, HostIdentity.own());
        }
        String id = ProcessHandle.current().pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
        return new ServerEntry(id, List.of(address.replaceFirst("[?].*", "")), 1, attributes);
    }

    /** @throws IllegalArgumentException when nobody could connect to it */
    private static void checkReachable(String address) {
        String place = address.replaceFirst("^[a-z+]*://", "");
        if (place.startsWith("0.0.0.0:") || place.startsWith("[::]:") || place.startsWith("[0:0:0:0:0:0:0:0]:")) {
            throw new IllegalArgumentException("address=" + address + " is none to connect to: register(target, change)"
                    + " says by which address others reach this host");
        }
    }

    /** Leaves all, which may take as long as registries do. Idempotent. */
    public void leave() {
        List<Registration> all;
        synchronized (this) {
            left = true;
            all = List.copyOf(made);
            made.clear();
        }
        for (Registration registration : all) {
            try {
                registration.leave();
            } catch (RuntimeException | Error e) { // of others' making: the server drains all the same
                Rare.reached("a registration cannot be left");
                LOG.warn("a registration cannot be left", e);
            }
        }
    }

    /** Leaves all and goes on then, on a thread of its own; at once on this one where there is nothing to leave. */
    public void leaveThen(Runnable next) {
        if (isLeft()) {
            next.run();
            return;
        }
        environment.threads().make(() -> {
            leave();
            next.run();
        }, "jvrpc-deregister").start();
    }

    /** Leaves all, and waits for a second at most: the server stops at once. */
    public void leaveSoon() {
        if (isLeft()) {
            return;
        }
        Thread thread = environment.threads().make(this::leave, "jvrpc-deregister");
        thread.start();
        try {
            thread.join(SOON_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isLeft() {
        return made.isEmpty();
    }
}
