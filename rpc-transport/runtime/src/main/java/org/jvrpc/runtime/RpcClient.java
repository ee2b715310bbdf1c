package org.jvrpc.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.client.ClientCore;
import org.jvrpc.runtime.session.Settings;

/**
 * A client of one server. Stubs made by it may be used by many threads. When the server dies, calls in flight fail with
 * {@link Status#UNAVAILABLE}, later ones do so at once until the server is back: the client connects again by itself.
 *
 * <p>A call has one deadline for all that it waits for. A thread that is interrupted while it waits gets an
 * {@link RpcException} with {@link Status#CANCELLED} and stays interrupted; the server is told. What depends on a
 * future runs on whichever thread polled the answer, so it must not block: where it would, use the {@code …Async}
 * methods.
 */
public final class RpcClient implements AutoCloseable {

    private final ClientCore core;

    private RpcClient(ClientCore core) {
        this.core = core;
    }

    /** Connects with the default settings. @throws RpcException UNAVAILABLE when there is no server */
    public static RpcClient connect(String address) {
        return builder(address).connect();
    }

    /** Begins a client for {@code scheme://name}. */
    public static Builder builder(String address) {
        return new Builder(address);
    }

    /** What a client is made with. One thread. */
    public static final class Builder {

        private final String address;
        private final Settings settings = new Settings();
        private final List<ClientInterceptor> interceptors = new ArrayList<>();

        private Builder(String address) {
            this.address = address;
        }

        /**
         * Sets how many calls may be in flight, 1 to 4096, default 64. Some fewer one-way calls may be under way
         * beside them.
         */
        public Builder slots(int slots) {
            settings.slots(slots);
            return this;
        }

        /**
         * Sets how many of the slots a session has at first, 1 to 4096, default 2, and all where there are fewer. A
         * call that finds none free has both sides make memory for four times as many, up to {@link #slots}, and waits
         * until one comes free or the new ones are there: some hundred microseconds, three times in the life of a
         * session with the defaults. With all slots at first nobody waits for them, and sessions take more memory.
         */
        public Builder initialSlots(int slots) {
            settings.initialSlots(slots);
            return this;
        }

        /** Sets the longest body that goes without rendezvous, in bytes, 256 to 1 MiB, default 4096. */
        public Builder slotBytes(int slotBytes) {
            settings.slotBytes(slotBytes);
            return this;
        }

        /** Sets the longest answer that is taken, in bytes, 1 MiB to 1 GiB, default 1 GiB. */
        public Builder maxBodyBytes(long maxBodyBytes) {
            settings.maxBodyBytes(maxBodyBytes);
            return this;
        }

        /** Sets the deadline of methods that have none of their own; default 30 s. */
        public Builder deadline(Duration deadline) {
            settings.deadline(deadline);
            return this;
        }

        /** Sets how callers wait; default {@link IdleStrategy#ADAPTIVE}. */
        public Builder idle(IdleStrategy idle) {
            settings.idle(idle);
            return this;
        }

        /** Sets how long connecting may take; default 5 s. */
        public Builder connectTimeout(Duration timeout) {
            settings.connectTimeout(timeout);
            return this;
        }

        /** Sets whether the client connects again when the connection is lost; default true. */
        public Builder reconnect(boolean reconnect) {
            settings.reconnect(reconnect);
            return this;
        }

        /**
         * Sets after how long without a call a server on another host is asked whether it is there, 100 ms to a day,
         * default 60 s. One that gives no sign of life for as long again counts as lost. By shared memory the end of a
         * server is known at once.
         */
        public Builder keepAlive(Duration idle) {
            settings.keepAlive(idle);
            return this;
        }

        /**
         * Sets for how long half of the slots may be held by calls that were given up, by deadline or interrupt, and
         * not answered yet, 1 ms to an hour, default 1 s. Then the client connects anew: new calls go to the new
         * session, those in flight go on in the old one. Not without {@link #reconnect(boolean)}.
         */
        public Builder renewAfter(Duration time) {
            settings.renewAfter(time);
            return this;
        }

        /**
         * Sets how many threads may have a method with {@link org.jvrpc.api.Offload} answered by program at once: 0,
         * for ordinary calls alone, or a power of two up to 64, default 4. A call more is an ordinary one.
         */
        public Builder offloadConnections(int connections) {
            settings.offloadConnections(connections);
            return this;
        }

        /** Sets how long a program may take before an ordinary call is made; default 20 us. */
        public Builder offloadWait(Duration wait) {
            settings.offloadWait(wait);
            return this;
        }

        /**
         * Has calls show their credentials also where everybody on the way can read them: over {@code tcp://},
         * {@code roce://} and {@code rdma://}, in networks that are trusted as hosts are.
         */
        public Builder allowCredentialsInPlain() {
            settings.plainCredentials(true);
            return this;
        }

        /** Adds an interceptor; the first added is the outermost. */
        public Builder intercept(ClientInterceptor interceptor) {
            interceptors.add(interceptor);
            return this;
        }

        /**
         * Connects.
         *
         * @throws RpcException UNAVAILABLE when there is no server, or this host has no device for the address,
         *     FAILED_PRECONDITION when it refuses,
         *     RESOURCE_EXHAUSTED when one of the two sides has no memory for a session
         * @throws IllegalArgumentException when the address is not one, or slots × slotBytes is more than 64 MiB
         */
        public RpcClient connect() {
            return new RpcClient(ClientCore.connect(address, settings, interceptors));
        }
    }

    /**
     * Makes a stub with the default options.
     *
     * @throws RpcException UNIMPLEMENTED when the server has no such service, FAILED_PRECONDITION when its interface
     *     differs: the message names the methods
     */
    public <T> T stub(Class<T> service) {
        return stub(service, CallOptions.DEFAULT);
    }

    /**
     * Makes a stub whose calls have these options. To make it has the time that the client's calls have by default.
     *
     * @throws RpcException as {@link #stub(Class)}, and DEADLINE_EXCEEDED
     */
    public <T> T stub(Class<T> service, CallOptions options) {
        ServiceDescriptor<T> descriptor = ServiceDescriptor.of(service);
        return descriptor.stub(core.channel(service, descriptor, options));
    }

    /** Makes a stub of the generated asynchronous twin of a service. @throws RpcException as {@link #stub(Class)} */
    public <T, A> A asyncStub(Class<T> service, Class<A> twin) {
        return asyncStub(service, twin, CallOptions.DEFAULT);
    }

    /** Makes an asynchronous stub whose calls have these options. @throws RpcException as {@link #stub(Class)} */
    public <T, A> A asyncStub(Class<T> service, Class<A> twin, CallOptions options) {
        ServiceDescriptor<T> descriptor = ServiceDescriptor.of(service);
        if (descriptor.asyncInterface() != twin) {
            throw new IllegalArgumentException("the asynchronous twin of " + service.getName() + " is "
                    + descriptor.asyncInterface().getName() + ", not " + twin.getName());
        }
        return twin.cast(descriptor.asyncStub(core.channel(service, descriptor, options)));
    }

    /**
     * Takes the answers that have come and calls the callbacks of calls that have ended, on this thread. Where nothing
     * came it spins or yields once, as the idle strategy says, and never sleeps. A thread that makes calls with
     * callbacks and polls for them itself is answered soonest. Where no thread polls, the client's own does, which
     * sleeps until answers come. Any thread.
     *
     * @return true when something came
     */
    public boolean poll() {
        return core.poll();
    }

    /** Returns the address of the server. */
    public String address() {
        return core.address();
    }

    /** Returns true while there is a connection. */
    public boolean isConnected() {
        return core.isConnected();
    }

    /** Returns how many calls programs have answered, without the server's CPU. */
    public long offloadedCalls() {
        return core.offloadedCalls();
    }

    ClientCore core() {
        return core;
    }

    /** Disconnects: calls in flight fail with UNAVAILABLE, one-way calls have 2 s a session to leave. Idempotent. */
    @Override
    public void close() {
        core.close();
    }
}
