package org.jvrpc.runtime.channel.lookup;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.jvrpc.runtime.resolve.NameResolverProvider;
import org.jvrpc.runtime.resolve.ServiceRegistryProvider;

/** Finds what plugs in, once: to look for it reads files. Any thread. */
public final class Providers {

    private static volatile List<NameResolverProvider> resolvers;
    private static volatile List<ServiceRegistryProvider> registries;

    private Providers() {
    }

    /** Returns the one of a scheme, or null. */
    static NameResolverProvider resolver(String scheme) {
        List<NameResolverProvider> all = resolvers;
        if (all == null) {
            all = load(NameResolverProvider.class);
            resolvers = all;
        }
        return find(all, NameResolverProvider::scheme, scheme);
    }

    /** Returns the one of a scheme. @throws IllegalArgumentException when there is none */
    public static ServiceRegistryProvider registry(String scheme) {
        List<ServiceRegistryProvider> all = registries;
        if (all == null) {
            all = load(ServiceRegistryProvider.class);
            registries = all;
        }
        ServiceRegistryProvider found = find(all, ServiceRegistryProvider::scheme, scheme);
        if (found == null) {
            throw new IllegalArgumentException("no registry on the class path has scheme=" + scheme + ", there are "
                    + all.stream().map(ServiceRegistryProvider::scheme).sorted().toList());
        }
        return found;
    }

    private static <T> List<T> load(Class<T> type) {
        List<T> found = new ArrayList<>();
        ServiceLoader.load(type, Providers.class.getClassLoader()).forEach(found::add);
        return found;
    }

    private static <T> T find(List<T> all, Function<T, String> schemeOf, String scheme) {
        return all.stream().filter(one -> schemeOf.apply(one).equals(scheme)).findFirst().orElse(null);
    }
}
