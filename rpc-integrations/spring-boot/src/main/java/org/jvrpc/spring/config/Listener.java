package org.jvrpc.spring.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jvrpc.runtime.RpcServer;

/**
 * One server that is to be: its name, where it is, and its settings.
 *
 * @param name by which {@code @JvrpcService} and {@code JvrpcServers} know it
 * @param property that says where it is
 * @param address where it is
 * @param own settings before those of all; not null
 */
public record Listener(String name, String property, String address, ListenerProperties own) {

    private static final String SERVER = JvrpcProperties.PREFIX + ".server";
    private static final ListenerProperties NOTHING =
            new ListenerProperties(null, null, null, null, null, null, null);

    /**
     * Lists the servers that properties ask for.
     *
     * @param slice where all are instead; null for where the properties say
     * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException when an
     *     address is missing, or there twice
     */
    public static List<Listener> of(ServerProperties server, SliceAddress slice) {
        if (slice != null) {
            return List.of(new Listener("slice", SERVER + ".addresses", slice.address(), NOTHING));
        }
        List<Listener> all = new ArrayList<>();
        for (int i = 0; i < server.addresses().size(); i++) {
            String address = server.addresses().get(i);
            add(all, new Listener("address-" + i, SERVER + ".addresses[" + i + "]", address, NOTHING));
        }
        server.listeners().entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry ->
                add(all, new Listener(entry.getKey(), SERVER + ".listeners." + entry.getKey() + ".address",
                        entry.getValue().address(), entry.getValue())));
        return List.copyOf(all);
    }

    private static void add(List<Listener> all, Listener next) {
        Addresses.check(next.property, next.address);
        for (Listener other : all) {
            boolean anyPort = next.address.endsWith(":0");
            if (other.address.equals(next.address) && !anyPort || other.name.equals(next.name)) {
                throw Property.invalid(next.property, next.address, "it is that of " + other.property + ", too");
            }
        }
        all.add(next);
    }

    /** Makes the server's builder, with everything but services. */
    public RpcServer.Builder builder(ServerProperties server) {
        RpcServer.Builder builder = RpcServer.builder().bind(address);
        String own = property.endsWith(".address") ? property.substring(0, property.length() - 8) : SERVER;
        either(own, "pollers", this.own.pollers(), server.pollers(), builder::pollers);
        either(own, "idle", this.own.idle(), server.idle(), builder::idle);
        either(own, "reflection", this.own.reflection(), server.reflection(), builder::reflection);
        either(own, "admin", this.own.admin(), server.admin(), builder::admin);
        either(own, "object-graphs", this.own.objectGraphs(), server.objectGraphs(), builder::objectGraphs);
        Property.apply(SERVER + ".context", server.context(), builder::context);
        Property.apply(SERVER + ".queued-calls", server.queuedCalls(), builder::queuedCalls);
        Property.apply(SERVER + ".max-body-size", server.maxBodySize(), size -> builder.maxBodyBytes(size.toBytes()));
        Property.apply(SERVER + ".stream-window", server.streamWindow(),
                size -> builder.streamWindow(Property.bytes(size)));
        Property.apply(SERVER + ".keep-alive", server.keepAlive(), builder::keepAlive);
        Property.apply(SERVER + ".recheck", server.recheck(), builder::recheck);
        if (server.limits() != null) {
            builder.limits(server.limits().toLimits(SERVER + ".limits"));
        }
        if (server.principalLimits() != null) {
            builder.principalLimits(server.principalLimits().toLimits(SERVER + ".principal-limits"));
        }
        boolean ownTargets = this.own.register() != null;
        for (String target : ownTargets ? this.own.register() : server.register()) {
            Property.apply((ownTargets ? own : SERVER) + ".register", target, builder::register);
        }
        return builder;
    }

    private static <T> void either(
            String own, String name, T first, T second, Consumer<? super T> setter) {
        Property.apply((first != null ? own : SERVER) + "." + name, Property.or(first, second), setter);
    }
}
