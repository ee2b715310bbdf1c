package org.jvrpc.spring.server;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.spring.JvrpcConfigurationException;
import org.jvrpc.spring.JvrpcServers;
import org.jvrpc.spring.config.Listener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the servers of a context when all its beans are there, and drains them when it stops: they take no new calls,
 * those in progress end, and what has not ended when the time is over is broken off. A context that fails after its
 * servers have started stops them at once. Any thread.
 */
public final class ServerLifecycle
        implements JvrpcServers, SmartLifecycle, SmartInitializingSingleton, DisposableBean {

    /** As that of the graceful end of web servers: what starts later, and calls, stops before. */
    public static final int PHASE = DEFAULT_PHASE - 1024;
    private static final Logger LOG = LoggerFactory.getLogger(ServerLifecycle.class);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private final ServerBuilders builders;
    private final ListableBeanFactory factory;
    private final Duration drain;
    private final Readiness readiness;
    private List<ServiceBean> beans = List.of();
    private volatile Map<String, RpcServer> running = Map.of();
    private volatile boolean started;
    private final Presence presence = new Presence();

    ServerLifecycle(ServerBuilders builders, ListableBeanFactory factory, Duration drain, Readiness readiness) {
        this.builders = builders;
        this.factory = factory;
        this.drain = drain;
        this.readiness = readiness;
    }

    /** Checks the settings, while the context can still be refused without anything having been bound. */
    @Override
    public void afterSingletonsInstantiated() {
        beans = ServiceBeans.of(factory);
        builders.make(beans);
        readiness.services(beans.stream().flatMap(bean -> bean.services().stream())
                .map(service -> ServiceDescriptor.of(service).name()).toList());
    }

    @Override
    public synchronized void start() {
        Map<String, RpcServer> all = new LinkedHashMap<>();
        for (Map.Entry<Listener, RpcServer.Builder> entry : builders.make(beans).entrySet()) {
            Listener listener = entry.getKey();
            try {
                all.put(listener.name(), entry.getValue().start());
            } catch (RuntimeException e) {
                stopAtOnce(all);
                throw new JvrpcConfigurationException("the server " + listener.name() + " cannot start at "
                        + listener.address() + ": " + e.getMessage(), "Free the address, or set " + listener.property()
                        + " to another one.", e);
            }
        }
        running = Collections.unmodifiableMap(all);
        started = true;
        if (!all.isEmpty()) {
            presence.begin();
        }
        readiness.started(running.values());
    }

    @Override
    public void stop(Runnable callback) {
        new Thread(() -> { // others of this phase drain at the same time
            try {
                stop();
            } finally {
                callback.run();
            }
        }, "jvrpc-drain").start();
    }

    @Override
    public synchronized void stop() {
        Map<String, RpcServer> all = running;
        running = Map.of();
        started = false;
        long end = System.nanoTime() + drain.toNanos();
        all.values().forEach(RpcServer::shutdown);
        all.forEach((name, server) -> {
            if (!ended(server, Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
                LOG.warn("the server {} at {} has calls in progress after {}, which end with UNAVAILABLE", name,
                        server.address(), drain);
                server.shutdownNow();
                ended(server, AT_ONCE);
            }
        });
        presence.end();
    }

    private static boolean ended(RpcServer server, Duration limit) {
        try {
            return server.awaitTermination(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void stopAtOnce(Map<String, RpcServer> servers) {
        servers.values().forEach(RpcServer::shutdownNow);
        servers.values().forEach(server -> ended(server, AT_ONCE));
    }

    /** Ends what {@link #stop} did not: in a context that was refused half way, or whose phase took too long. */
    @Override
    public synchronized void destroy() {
        Map<String, RpcServer> all = running;
        running = Map.of();
        started = false;
        stopAtOnce(all);
        presence.end();
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public Map<String, RpcServer> running() {
        return running;
    }

    @Override
    public String address() {
        Map<String, RpcServer> now = running;
        if (now.size() != 1) {
            throw new IllegalStateException("not one server runs: " + now.keySet());
        }
        return now.values().iterator().next().address();
    }

    @Override
    public String address(String listener) {
        RpcServer server = running.get(listener);
        if (server == null) {
            throw new IllegalArgumentException("no server runs of listener=" + listener + ", there are "
                    + running.keySet());
        }
        return server.address();
    }
}
