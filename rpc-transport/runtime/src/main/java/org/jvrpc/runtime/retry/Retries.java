package org.jvrpc.runtime.retry;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.invocation.AttemptChannel;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;

/** What the calls of one client share that may be made again. Many threads. */
public final class Retries implements AutoCloseable {

    /** Begin later attempts of asynchronous calls, which may wait for a slot. */
    private static final int THREADS = 4;
    private static final long IDLE_S = 10;

    private final RetrySettings settings;
    private final Environment environment;
    private final List<ClientInterceptor> interceptors;
    private final Throttle throttle;
    private final BufferPool buffers = new BufferPool();
    private final SplittableRandom random;
    private final ScheduledThreadPoolExecutor later;
    /** What is to be done later, each until it is begun. */
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

    /**
     * @param name of the client, for the names of its threads
     * @param interceptors of the client: they stand around all attempts, so that the channels have none
     */
    public Retries(
            RetrySettings settings, Environment environment, String name, List<ClientInterceptor> interceptors) {
        this.settings = settings.copy();
        this.environment = environment;
        this.interceptors = List.copyOf(interceptors);
        this.throttle = settings.throttling() == null ? null : new Throttle(settings.throttling());
        this.random = new SplittableRandom(settings.seed());
        AtomicLong number = new AtomicLong();
        this.later = new ScheduledThreadPoolExecutor(THREADS,
                task -> environment.threads().make(task, "jvrpc-retry-" + name + "-" + number.incrementAndGet()));
        later.setKeepAliveTime(IDLE_S, TimeUnit.SECONDS);
        later.allowCoreThreadTimeOut(true);
        later.setRemoveOnCancelPolicy(true);
    }

    /** Returns a channel whose calls are made again by the client's policies, over one whose calls are attempts. */
    public RpcChannel around(AttemptChannel channel, ServiceDescriptor<?> service, CallOptions options) {
        return new RetryChannel(this, channel, service.methods(), options);
    }

    RetrySettings settings() {
        return settings;
    }

    Clock clock() {
        return environment.clock();
    }

    List<ClientInterceptor> interceptors() {
        return interceptors;
    }

    Throttle throttle() {
        return throttle;
    }

    BufferPool buffers() {
        return buffers;
    }

    /** Returns a number from 0 to 1, evenly; in the order of the seed. */
    double random() {
        synchronized (random) {
            return random.nextDouble();
        }
    }

    /** Has something done after a time; false when the client is closed. */
    boolean later(long delayNs, Runnable work) {
        Runnable once = new Runnable() { // each is another one, unlike a lambda
            @Override
            public void run() {
                if (waiting.remove(this)) {
                    work.run();
                }
            }
        };
        waiting.add(once);
        try {
            later.schedule(once, delayNs, TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return !waiting.remove(once); // else it was done by who closed
        }
    }

    /** Calls that wait for another attempt make it now: it fails. After the end of the channels. Idempotent. */
    @Override
    public void close() {
        later.shutdownNow();
        waiting.forEach(Runnable::run);
    }
}
