package org.jvrpc.runtime.channel.lookup;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.resolve.ServerEntry;

/**
 * Looks the addresses of a host up, again every so often and when a connection fails. A thread of its own keeps the
 * time, and another one, for lookups cannot be stopped, is in one that may hang; there is never more than one of those.
 * A lookup that fails is repeated, less and less often; a name that vanishes keeps its last addresses, as its client
 * does. How long the system keeps answers is the system's: {@code networkaddress.cache.ttl}.
 */
final class DnsServers implements NameResolver {

    /** Looks a name up, as long as that takes. */
    interface Lookup {
        InetAddress[] all(String host) throws UnknownHostException;
    }

    static final Lookup SYSTEM = InetAddress::getAllByName;
    /** Between two lookups while nothing fails, 20 % more or less. */
    static final Duration PERIOD = Duration.ofSeconds(30);
    /** Between two lookups at least, whatever fails. */
    static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final ConnectionBackoff STEADY = new ConnectionBackoff(PERIOD, 1, 0.2, PERIOD.multipliedBy(2));

    private final DnsName name;
    private final Lookup lookup;
    private final ResolverContext context;
    private final Backoff steady;
    private final Backoff failing;
    private final Thread thread;
    private Listener listener;
    private CompletableFuture<InetAddress[]> hanging;
    private boolean asked;
    private boolean failed;
    private boolean closed;

    DnsServers(DnsName name, Lookup lookup, ResolverContext context) {
        this.name = name;
        this.lookup = lookup;
        this.context = context;
        this.steady = new Backoff(STEADY, context.random());
        this.failing = new Backoff(ConnectionBackoff.DEFAULT, context.random());
        this.thread = context.threads().newThread(this::run);
    }

    @Override
    public void start(Listener told) {
        listener = told;
        thread.start();
    }

    @Override
    public synchronized void refresh() {
        asked = true;
        notifyAll();
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        thread.interrupt(); // which may wait for a lookup
    }

    private void run() {
        try {
            while (true) {
                long pauseNs = lookUp();
                if (!pause(pauseNs)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    /** Looks up once and tells; returns how long to wait, in nanoseconds. */
    long lookUp() throws InterruptedException {
        try {
            InetAddress[] found = await();
            if (found == null || found.length == 0) { // as where the name is gone: nobody is better than none
                throw new ExecutionException(new UnknownHostException("it has no address"));
            }
            List<ServerEntry> servers = entries(found);
            failing.succeeded();
            failed = false;
            tell(servers, null);
            return steady.failed();
        } catch (ExecutionException e) {
            tell(null, failure(String.valueOf(e.getCause())));
        } catch (TimeoutException e) {
            tell(null, failure("no answer in " + context.timeout().toMillis() + " ms"));
        }
        failed = true;
        return failing.failed();
    }

    /** The client goes on with what it knows, or says so to those who call. */
    private void tell(List<ServerEntry> servers, RpcException failure) {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        if (failure != null) {
            listener.onError(failure);
        } else {
            listener.onServers(servers);
        }
    }

    private RpcException failure(String why) {
        return RpcException.notRun(Status.UNAVAILABLE, "host=" + name.host() + " is not found: " + why);
    }

    /** Waits for a lookup: a new one, or one that hung before. */
    private InetAddress[] await() throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<InetAddress[]> result = hanging;
        if (result == null) {
            CompletableFuture<InetAddress[]> fresh = new CompletableFuture<>();
            context.threads().newThread(() -> {
                try {
                    fresh.complete(lookup.all(name.host()));
                } catch (Throwable t) {
                    fresh.completeExceptionally(t);
                }
            }).start();
            result = fresh;
        }
        hanging = result;
        InetAddress[] found;
        try {
            found = result.get(context.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            hanging = null;
            throw e;
        }
        hanging = null;
        return found;
    }

    private List<ServerEntry> entries(InetAddress[] found) {
        List<ServerEntry> servers = new ArrayList<>();
        for (InetAddress address : found) {
            if (servers.size() < ServerEntry.MAX_SERVERS) {
                servers.add(name.server(address));
            }
        }
        return servers;
    }

    /** Waits, or less when somebody asks; false when this is closed. */
    private synchronized boolean pause(long ns) throws InterruptedException {
        long startNs = context.nanoTime().getAsLong();
        while (!closed) {
            long pastNs = context.nanoTime().getAsLong() - startNs;
            long leftNs = (asked && !failed ? Math.min(ns, SHORTEST.toNanos()) : ns) - pastNs;
            if (leftNs <= 0) {
                asked = false;
                return true;
            }
            wait(leftNs / 1_000_000 + 1);
        }
        return false;
    }
}
