package org.jvrpc.spring.client;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.spring.JvrpcClientCustomizer;
import org.jvrpc.spring.JvrpcClients;
import org.jvrpc.spring.JvrpcConfigurationException;
import org.jvrpc.spring.config.CallTracing;
import org.jvrpc.spring.config.ClientProperties;
import org.jvrpc.spring.config.ClientSettings;
import org.jvrpc.spring.config.SliceAddress;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * The clients of a context. Their settings are checked when it is refreshed; those that are eager connect when it has
 * started, behind its own servers; all close when its beans are destroyed, behind those that call by them. Any thread.
 */
public final class ClientRegistry implements JvrpcClients, SmartLifecycle, DisposableBean {

    /** One more than the servers have: what starts later stops sooner. */
    public static final int PHASE = DEFAULT_PHASE - 1023;

    /** What all clients are made with, beside their own settings. @param tracing null for none */
    public record Common(
            CallTracing tracing,
            List<ClientInterceptor> interceptors,
            List<JvrpcClientCustomizer> customizers,
            SliceAddress slice) {
    }

    private record Entry(LazyClient client, ClientSettings settings, CallOptions options) {
    }

    private final Map<String, ClientProperties> properties;
    private final Common common;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private volatile boolean running;

    /** Makes the clients of some properties, none of which connects yet. */
    public ClientRegistry(Map<String, ClientProperties> properties, Common common) {
        this.properties = properties;
        this.common = common;
        properties.keySet().forEach(this::entry);
    }

    private Entry make(String name) {
        ClientSettings settings = new ClientSettings(name, properties.get(name));
        RpcClient.Builder builder = settings.builder(common.slice());
        if (common.tracing() != null) {
            builder.intercept(common.tracing().client(settings.address(common.slice())));
        }
        common.interceptors().forEach(builder::intercept);
        CallOptions options = settings.options();
        for (JvrpcClientCustomizer customizer : common.customizers()) {
            customizer.customize(name, builder);
            options = customizer.options(name, options);
        }
        return new Entry(new LazyClient(name, builder), settings, options);
    }

    /** Makes a client that only stubs name, too: the failure says which property is missing. */
    private Entry entry(String name) {
        return entries.computeIfAbsent(name, this::make);
    }

    @Override
    public Set<String> names() {
        return new TreeSet<>(entries.keySet());
    }

    @Override
    public RpcClient client(String name) {
        return entry(name).client.get();
    }

    /** Returns how each client stands, by name. Makes no call, and waits for nobody. */
    public Map<String, ClientState> states() {
        Map<String, ClientState> states = new TreeMap<>();
        entries.forEach((name, entry) ->
                states.put(name, ClientState.of(entry.client.now(), entry.client.failure())));
        return states;
    }

    @Override
    public <T> T stub(String name, Class<T> service, CallOptions options) {
        ServiceDescriptor<T> descriptor = ServiceDescriptor.of(service);
        return descriptor.stub(new LazyChannel(entry(name).client, descriptor, options));
    }

    @Override
    public <T> T stub(String name, Class<T> service) {
        return stub(name, service, entry(name).options);
    }

    @Override
    public Object asyncStub(String name, Class<?> service) {
        Entry entry = entry(name);
        ServiceDescriptor<?> descriptor = ServiceDescriptor.of(service);
        return descriptor.asyncStub(new LazyChannel(entry.client, descriptor, entry.options));
    }

    @Override
    public void start() {
        for (String name : names()) {
            if (entry(name).settings.eager()) {
                try {
                    client(name);
                } catch (RpcException e) {
                    throw new JvrpcConfigurationException("client " + name + " cannot connect: " + e.getMessage(),
                            "Start its server, or mend jvrpc.clients." + name + ".address; with jvrpc.clients." + name
                            + ".connect=lazy the context starts without one.", e);
                }
            }
        }
        running = true;
    }

    /** Clients stay: what stops later may call. */
    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void destroy() {
        entries.values().forEach(entry -> entry.client.close());
    }
}
