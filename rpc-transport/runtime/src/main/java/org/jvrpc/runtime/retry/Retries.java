package org.jvrpc.runtime.retry;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.invocation.AttemptChannel;
import org.jvrpc.runtime.invocation.Interceptors;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;

/** What the calls of one client share that may be made again. Many threads. */
public final class Retries implements AutoCloseable {

    private final RetrySettings settings;
    private final Environment environment;
    private final Interceptors interceptors;
    private final Throttle throttle;
    private final BufferPool buffers = new BufferPool();
    private final SplittableRandom random;
    private final Timer timer;
    /** What is to be done later, each until it is begun. */
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

    /**
     * @param name of the client, for the names of its threads
     * @param interceptors of the client: they stand around all attempts, so that the channels have none
     */
    public Retries(
            RetrySettings settings, Environment environment, String name, List<ClientInterceptor> interceptors) {
        this(settings, environment, interceptors, new PoolTimer(environment.threads(), name));
    }

    /** With a time of the caller's. */
    Retries(RetrySettings settings, Environment environment, List<ClientInterceptor> interceptors, Timer timer) {
        this.settings = settings.copy();
        this.environment = environment;
        this.interceptors = new Interceptors(interceptors);
        this.throttle = settings.throttling() == null ? null : new Throttle(settings.throttling());
        this.random = new SplittableRandom(settings.seed());
        this.timer = timer;
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

    Interceptors interceptors() {
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
            timer.schedule(once, delayNs);
            return true;
        } catch (RejectedExecutionException e) {
            return !waiting.remove(once); // else it was done by who closed
        }
    }

    /** Calls that wait for another attempt make it now: it fails. After the end of the channels. Idempotent. */
    @Override
    public void close() {
        timer.close();
        waiting.forEach(Runnable::run);
    }
}
