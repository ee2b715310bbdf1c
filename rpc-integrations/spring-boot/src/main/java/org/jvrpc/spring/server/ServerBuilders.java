package org.jvrpc.spring.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.spring.JvrpcConfigurationException;
import org.jvrpc.spring.JvrpcServerCustomizer;
import org.jvrpc.spring.config.CallTracing;
import org.jvrpc.spring.config.Listener;
import org.jvrpc.spring.config.ServerProperties;

/** Makes the servers of a context, which have not started. One thread. */
final class ServerBuilders {

    /**
     * What all servers are made with, beside their own settings.
     *
     * @param tracing null for none
     * @param heavy where heavy methods run; null for a pool of each server's own
     * @param guards who connects, who may do what, and who hears of it, as beans have it
     */
    record Common(
            CallTracing tracing,
            List<ServerInterceptor> interceptors,
            List<JvrpcServerCustomizer> customizers,
            ExecutorService heavy,
            Consumer<RpcServer.Builder> guards) {
    }

    private final ServerProperties properties;
    private final List<Listener> listeners;
    private final Common common;

    ServerBuilders(ServerProperties properties, List<Listener> listeners, Common common) {
        this.properties = properties;
        this.listeners = listeners;
        this.common = common;
    }

    /** Makes one builder for each listener that has a service. Without a service there is none at all. */
    Map<Listener, RpcServer.Builder> make(List<ServiceBean> beans) {
        Map<Listener, RpcServer.Builder> builders = new LinkedHashMap<>();
        if (beans.isEmpty()) {
            return builders;
        }
        check(beans);
        for (Listener listener : listeners) {
            RpcServer.Builder builder = listener.builder(properties);
            if (common.tracing != null) {
                builder.intercept(common.tracing.server(listener.address()));
            }
            common.interceptors.forEach(builder::intercept);
            common.guards.accept(builder);
            if (common.heavy != null) {
                builder.executor(common.heavy);
            }
            boolean any = false;
            for (ServiceBean bean : beans) {
                if (bean.isAt(listener.name())) {
                    add(builder, bean, listener);
                    any = true;
                }
            }
            if (any) {
                common.customizers.forEach(customizer -> customizer.customize(listener.name(), builder));
                builders.put(listener, builder);
            }
        }
        return builders;
    }

    private void check(List<ServiceBean> beans) {
        if (listeners.isEmpty()) {
            throw new JvrpcConfigurationException("beans are to be served (" + names(beans) + "), and no property says"
                    + " where", "Set jvrpc.server.addresses, to shm://orders or tcp://localhost:7471 for instance, or"
                    + " jvrpc.server.enabled=false.", null);
        }
        Set<String> known = new TreeSet<>();
        listeners.forEach(listener -> known.add(listener.name()));
        for (ServiceBean bean : beans) {
            for (String name : bean.listeners()) {
                if (!known.contains(name) && !known.equals(Set.of("slice"))) {
                    throw new JvrpcConfigurationException("the bean " + bean.name() + " is to be served by listener "
                            + name + ", there are " + known, "Set jvrpc.server.listeners." + name + ".address, or name"
                            + " another listener in @JvrpcService.", null);
                }
            }
        }
    }

    private static String names(List<ServiceBean> beans) {
        return String.join(", ", beans.stream().map(ServiceBean::name).toList());
    }

    private static void add(RpcServer.Builder builder, ServiceBean bean, Listener listener) {
        for (Class<?> service : bean.services()) {
            try {
                add(builder, service, bean.bean());
            } catch (IllegalArgumentException e) {
                throw new JvrpcConfigurationException("the bean " + bean.name() + " cannot be served as "
                        + service.getName() + " by listener " + listener.name() + ": " + e.getMessage(),
                        "Let one bean serve it at each listener: see value and listeners of @JvrpcService.", e);
            }
        }
    }

    private static <T> void add(RpcServer.Builder builder, Class<T> service, Object bean) {
        builder.service(service, service.cast(bean));
    }
}
