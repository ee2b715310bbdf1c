package org.jvrpc.spring.config;

import java.util.Locale;
import org.jvrpc.api.CallOptions;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;

/** What the properties of one client do to its builder. One thread. */
public final class ClientSettings {

    private final String name;
    private final String prefix;
    private final ClientProperties client;

    /**
     * Looks at the properties of a client.
     *
     * @param client null where there are none
     */
    public ClientSettings(String name, ClientProperties client) {
        this.name = name;
        this.prefix = JvrpcProperties.PREFIX + ".clients." + name;
        this.client = client;
    }

    /** Returns true when the client connects with the start of the context. */
    public boolean eager() {
        return client != null && client.connect() == ClientProperties.Connect.EAGER;
    }

    /** Returns the options of its stubs. */
    public CallOptions options() {
        boolean waits = client != null && Boolean.TRUE.equals(client.waitForReady());
        return waits ? CallOptions.DEFAULT.withWaitForReady() : CallOptions.DEFAULT;
    }

    /**
     * Makes its builder.
     *
     * @param slice where it calls instead; null for where the properties say
     * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException when a
     *     property is missing or out of its range
     */
    public RpcClient.Builder builder(SliceAddress slice) {
        RpcClient.Builder builder = RpcClient.builder(address(slice));
        if (client != null) {
            servers(builder);
            again(builder);
            session(builder);
        }
        return builder;
    }

    /** Returns what it connects to. @throws RuntimeException as {@link #builder} */
    public String address(SliceAddress slice) {
        return slice == null ? address() : slice.address();
    }

    private String address() {
        if (client == null || client.address() == null && client.addresses().isEmpty()) {
            throw Property.invalid(prefix + ".address", null, "the client " + name + " needs the address of a server,"
                    + " such as shm://orders or tcp://localhost:7471, or a target of several");
        }
        if (client.address() != null && !client.addresses().isEmpty()) {
            MutuallyExclusiveConfigurationPropertiesException.throwIfMultipleNonNullValuesIn(entries -> {
                entries.put(prefix + ".address", client.address());
                entries.put(prefix + ".addresses", client.addresses());
            });
        }
        if (client.address() != null) {
            Addresses.check(prefix + ".address", client.address());
            return client.address();
        }
        for (int i = 0; i < client.addresses().size(); i++) {
            Addresses.check(prefix + ".addresses[" + i + "]", client.addresses().get(i));
        }
        String all = String.join(",", client.addresses());
        return client.addresses().size() == 1 ? all : "list:" + all;
    }

    private void servers(RpcClient.Builder builder) {
        Property.apply(prefix + ".load-balancing", client.loadBalancing(), policy ->
                builder.loadBalancing(LoadBalancing.named(policy.toLowerCase(Locale.ROOT).replace('-', '_'))));
        Property.apply(prefix + ".least-security", client.leastSecurity(), builder::leastSecurity);
        Property.apply(prefix + ".connect-timeout", client.connectTimeout(), builder::connectTimeout);
        client.addressOptions().forEach((scheme, options) ->
                Property.apply(prefix + ".address-options." + scheme, options,
                        some -> builder.addressOptions(scheme, some)));
        if (client.healthCheck() != null) {
            client.healthCheck().applyTo(prefix + ".health-check", builder);
        }
        if (client.connectionBackoff() != null) {
            client.connectionBackoff().applyTo(prefix + ".connection-backoff", builder);
        }
        if (client.outlierEjection() != null) {
            client.outlierEjection().applyTo(prefix + ".outlier-ejection", builder);
        }
    }

    private void again(RpcClient.Builder builder) {
        if (client.retry() != null && !client.retry().none()) {
            builder.retry(client.retry().toPolicy(prefix + ".retry"));
        }
        client.methodRetry().forEach((methods, retry) -> {
            String property = prefix + ".method-retry[" + methods + "]";
            Property.apply(property, methods, some -> builder.retry(some, retry.toPolicy(property)));
        });
        client.hedging().forEach((methods, hedging) -> {
            String property = prefix + ".hedging[" + methods + "]";
            Property.apply(property, methods, some -> builder.hedging(some, hedging.toPolicy(property)));
        });
        if (client.retryThrottling() != null) {
            client.retryThrottling().applyTo(prefix + ".retry-throttling", builder);
        }
        Property.apply(prefix + ".per-call-buffer-limit", client.perCallBufferLimit(),
                size -> builder.perCallBufferLimit(Property.bytes(size)));
    }

    private void session(RpcClient.Builder builder) {
        Property.apply(prefix + ".deadline", client.deadline(), builder::deadline);
        Property.apply(prefix + ".slots", client.slots(), builder::slots);
        Property.apply(prefix + ".initial-slots", client.initialSlots(), builder::initialSlots);
        Property.apply(prefix + ".slot-size", client.slotSize(), size -> builder.slotBytes(Property.bytes(size)));
        Property.apply(prefix + ".max-body-size", client.maxBodySize(), size -> builder.maxBodyBytes(size.toBytes()));
        Property.apply(prefix + ".stream-window", client.streamWindow(),
                size -> builder.streamWindow(Property.bytes(size)));
        Property.apply(prefix + ".idle", client.idle(), builder::idle);
        Property.apply(prefix + ".reconnect", client.reconnect(), builder::reconnect);
        Property.apply(prefix + ".keep-alive", client.keepAlive(), builder::keepAlive);
        Property.apply(prefix + ".renew-after", client.renewAfter(), builder::renewAfter);
        Property.apply(prefix + ".object-graphs", client.objectGraphs(), builder::objectGraphs);
        Property.apply(prefix + ".offload-connections", client.offloadConnections(), builder::offloadConnections);
        Property.apply(prefix + ".offload-wait", client.offloadWait(), builder::offloadWait);
        if (Boolean.TRUE.equals(client.allowCredentialsInPlain())) {
            builder.allowCredentialsInPlain();
        }
    }
}
