package org.jvrpc.runtime.channel.lookup;

import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.NameResolverProvider;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Threads;

/**
 * What a client of several servers is connected to. Immutable.
 *
 * <pre>
 * list:shm://a,shm://b                        servers with one address each
 * list:shm://a|tcp://one:7000,tcp://two:7000  the first has two addresses
 * dns://host:port                             each address of the host by tcp://
 * dns+tls://host:port?trust=FILE              each by tls://, with these options; certificates are the host's
 * zk://…                                      what a provider makes of it
 * </pre>
 */
public final class Target {

    private static final int LONGEST_NAME = 64;
    private static final int LONGEST = 8192;
    /** One server each: to look for providers reads files. */
    private static final Set<String> SINGLE = Set.of("shm", "inproc", "unix", "tcp", "tls", "rdma", "roce");

    /** Opens what looks its servers up. */
    private interface Opening {
        NameResolver open(Settings settings, ResolverContext context);
    }

    private final String text;
    private final boolean own;
    private final Opening opening;

    private Target(String text, boolean own, Opening opening) {
        this.text = text;
        this.own = own;
        this.opening = opening;
    }

    /**
     * Returns the target of a text, or null when it is the address of one server.
     *
     * @throws IllegalArgumentException when it begins as a target and is none
     */
    public static Target parse(String text) {
        if (text.startsWith("list:")) {
            checkLength(text);
            FixedServers servers = FixedServers.parse(text);
            return new Target(text, true, (settings, context) -> servers);
        }
        int colon = text.indexOf("://");
        String scheme = colon < 0 ? "" : text.substring(0, colon);
        if (scheme.isEmpty() || SINGLE.contains(scheme)) {
            return null;
        }
        if (scheme.equals("dns") || scheme.equals("dns+tls")) {
            checkLength(text);
            DnsName name = DnsName.parse(text);
            return new Target(text, true, (settings, context) -> new DnsServers(name, DnsServers.SYSTEM, context));
        }
        NameResolverProvider provider = Providers.resolver(scheme);
        if (provider == null) {
            return null;
        }
        checkLength(text);
        return new Target(text, false, (settings, context) -> {
            NameResolver resolver = provider.open(text, context);
            if (resolver == null) {
                throw new IllegalStateException(provider.getClass().getName() + " opened no resolver for " + text);
            }
            return resolver;
        });
    }

    /** For tests: a target with a resolver of their own. @param own as if its addresses stood in the target */
    public static Target of(String text, boolean own, NameResolver resolver) {
        return new Target(text, own, (settings, context) -> resolver);
    }

    private static void checkLength(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("a target has " + LONGEST + " characters at most, length="
                    + text.length());
        }
    }

    public NameResolver open(Settings settings, LongSupplier random) {
        return opening.open(settings, context(settings.environment().clock(), settings.environment().threads(),
                Duration.ofNanos(settings.connectTimeoutNs()), random));
    }

    /** Returns what resolvers and registries are given. */
    public static ResolverContext context(Clock clock, Threads threads, Duration timeout, LongSupplier random) {
        String name = "jvrpc-resolve";
        return new ResolverContext(timeout, task -> threads.make(task, name), clock::nanoTime, random);
    }

    public String text() {
        return text;
    }

    /** Returns true when the addresses stand in the text itself, or those of names in it do. */
    public boolean isOwn() {
        return own;
    }

    /** Returns what names of threads end with. */
    public String name() {
        String name = text.replaceFirst("[?].*", "").replaceFirst("^[a-z+]*:(//)?", "");
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }
}
