package org.jvrpc.runtime.contract.several;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.NameResolverProvider;
import org.jvrpc.runtime.resolve.Registration;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.resolve.ServiceRegistryProvider;

/** A registry in this process: {@code test://name}. */
public final class TestRegistry implements NameResolverProvider, ServiceRegistryProvider {

    private static final Map<String, Directory> DIRECTORIES = new ConcurrentHashMap<>();

    /** The servers of one target, and who listens. */
    static final class Directory {
        private final Map<String, ServerEntry> servers = new LinkedHashMap<>();
        private final List<NameResolver.Listener> listeners = new ArrayList<>();
        private boolean refuses;
        private boolean keeps;

        synchronized void put(ServerEntry server) {
            servers.put(server.id(), server);
            tell();
        }

        synchronized void remove(String id) {
            servers.remove(id);
            tell();
        }

        synchronized void refuse() {
            refuses = true;
        }

        /** Nobody can be taken out any more. */
        synchronized void keep() {
            keeps = true;
        }

        synchronized void leave(String id) {
            if (keeps) {
                throw new IllegalStateException("planted");
            }
            remove(id);
        }

        synchronized void checkTakes() {
            if (refuses) {
                throw new RpcException(Status.PERMISSION_DENIED, "the registry takes nobody");
            }
        }

        synchronized List<ServerEntry> servers() {
            return List.copyOf(servers.values());
        }

        synchronized void fail() {
            listeners.forEach(listener -> listener.onError(new RpcException(Status.UNAVAILABLE, "registry is gone")));
        }

        private void tell() {
            listeners.forEach(listener -> listener.onServers(List.copyOf(servers.values())));
        }

        private synchronized void add(NameResolver.Listener listener) {
            listeners.add(listener);
            tell();
        }

        private synchronized void remove(NameResolver.Listener listener) {
            listeners.remove(listener);
        }

        synchronized int listeners() {
            return listeners.size();
        }
    }

    static Directory directory(String target) {
        return DIRECTORIES.computeIfAbsent(target, key -> new Directory());
    }

    @Override
    public String scheme() {
        return "test";
    }

    @Override
    public NameResolver open(String target, ResolverContext context) {
        Directory directory = directory(target);
        return new NameResolver() {
            private Listener mine;

            @Override
            public void start(Listener listener) {
                mine = listener;
                directory.add(listener);
            }

            @Override
            public void refresh() {
                // it tells of changes by itself
            }

            @Override
            public void close() {
                directory.remove(mine);
            }
        };
    }

    @Override
    public Registration register(String target, ServerEntry self, ResolverContext context) {
        Directory directory = directory(target);
        directory.checkTakes();
        directory.put(self);
        return () -> directory.leave(self.id());
    }
}
