package org.jvrpc.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.Registration;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.testing.Waits;

/** What a resolver has told. Any thread. */
final class Heard implements NameResolver.Listener {

    private final List<RpcException> errors = new ArrayList<>();
    private List<ServerEntry> servers;
    private int lists;

    static ResolverContext context(Duration timeout) {
        return new ResolverContext(timeout, task -> {
            Thread thread = new Thread(task, "test-zk");
            thread.setDaemon(true);
            return thread;
        }, System::nanoTime, new Random()::nextLong);
    }

    static ResolverContext context() {
        return context(Duration.ofSeconds(20));
    }

    static NameResolver resolve(String target, Heard heard) {
        NameResolver resolver = new ZooKeeperResolverProvider().open(target, context());
        resolver.start(heard);
        return resolver;
    }

    static Registration register(String target, String id, String... addresses) {
        return new ZooKeeperRegistryProvider().register(target, ServerEntry.of(id, addresses), context());
    }

    @Override
    public synchronized void onServers(List<ServerEntry> all) {
        servers = all;
        lists++;
    }

    @Override
    public synchronized void onError(RpcException failure) {
        errors.add(failure);
    }

    /** Returns those of the last list; null when there was none. */
    synchronized List<ServerEntry> servers() {
        return servers;
    }

    synchronized List<RpcException> errors() {
        return List.copyOf(errors);
    }

    synchronized int lists() {
        return lists;
    }

    private String ids() {
        List<ServerEntry> now = servers();
        return now == null ? "none yet" : now.stream().map(ServerEntry::id).collect(Collectors.joining(" "));
    }

    /** Waits for a list of these. */
    void await(String... ids) {
        String wanted = String.join(" ", ids);
        Waits.until("servers '" + wanted + "'", () -> ids().equals(wanted), () -> ids() + " errors=" + errors());
    }

    void awaitErrors(int count) {
        Waits.until(count + " errors", () -> errors().size() >= count, this::ids);
    }
}
