package org.jvrpc.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.auth.AuditLog;
import org.jvrpc.api.auth.Authorizer;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.message.MessageServerCore;
import org.jvrpc.runtime.message.MessageServerOptions;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.verbs.VerbsException;

/**
 * Takes message sessions at an address. One thread of its own polls all of them and calls their handlers. Any thread.
 */
public final class MessageServer implements AutoCloseable {

    private final MessageServerCore core;

    private MessageServer(MessageServerCore core) {
        this.core = core;
    }

    /** Begins a server. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a server. One thread. */
    public static final class Builder {

        private final MessageServerOptions options = new MessageServerOptions();

        private Builder() {
        }

        /** Sets the address, {@code scheme://…}. */
        public Builder bind(String bindAddress) {
            options.address(bindAddress);
            return this;
        }

        /** Sets who makes the handler of each session; one for all may be returned each time. */
        public Builder handler(Supplier<MessageHandler> perSession) {
            options.handlers(perSession);
            return this;
        }

        /** Sets the longest frame that is taken, in bytes, 1 to 1 GiB; default 16 MiB. */
        public Builder maxFrameBytes(int bytes) {
            options.maxFrameBytes(checkFrame(bytes));
            return this;
        }

        /** Sets who may connect; default everybody. */
        public Builder admission(Admission who) {
            options.admission(Objects.requireNonNull(who, "admission"));
            return this;
        }

        /**
         * Sets how many bytes may be queued for peers that make no room: a session that has a quarter of its share
         * queued takes no more frames until some have left; one beyond its share is ended, and, when all together
         * have more than {@code inAll}, the one with the most is. Its handler is told of an
         * {@link org.jvrpc.api.RpcException} with RESOURCE_EXHAUSTED.
         *
         * @param perSession in bytes, at least 64 KiB, default 64 MiB
         * @param inAll in bytes, at least {@code perSession}, default 256 MiB
         */
        public Builder maxQueuedBytes(long perSession, long inAll) {
            options.maxQueuedBytes(perSession, inAll);
            return this;
        }

        /** Sets what clients may cost, each and together; see there for the defaults. */
        public Builder limits(SessionLimits sessionLimits) {
            options.limits(sessionLimits.copy());
            return this;
        }

        /**
         * Sets who decides who may have a session: asked when somebody connects, about who the transport says that is,
         * and again as long as the session lives; see {@link #recheck}.
         */
        public Builder authorizer(Authorizer decides) {
            options.guard().authorizer(Objects.requireNonNull(decides, "authorizer"));
            return this;
        }

        /**
         * Sets what one principal may cost, over all its sessions: {@link PrincipalLimits#maxSessions}, and
         * {@link PrincipalLimits#bytesPerSecond} of frames, beyond which they wait at their sender. There are no calls.
         *
         * @throws IllegalArgumentException when it limits calls
         */
        public Builder principalLimits(PrincipalLimits most) {
            if (most.maxCalls() != Integer.MAX_VALUE || most.callsPerSecond() != 0) {
                throw new IllegalArgumentException("message sessions have no calls to limit: maxCalls="
                        + most.maxCalls() + " callsPerSecond=" + most.callsPerSecond());
            }
            options.guard().limits(most.copy());
            return this;
        }

        /** As {@link RpcServer.Builder#recheck}. */
        public Builder recheck(Duration bound) {
            options.guard().recheck(bound);
            return this;
        }

        /** Sets who is told of sessions that begin and end, and of those who are refused or expelled. */
        public Builder audit(AuditLog log) {
            options.guard().audit(Objects.requireNonNull(log, "audit"), false);
            return this;
        }

        /** As {@link RpcServer.Builder#keepAlive}. */
        public Builder keepAlive(Duration idle) {
            options.keepAliveNs(Settings.checkKeepAlive(idle));
            return this;
        }

        /**
         * Says whether frames are counted where {@link org.jvrpc.runtime.counters.Counters} and {@code jvrpc top} read,
         * as calls of {@code jvrpc.Messages}; the default is yes, unless {@code -Djvrpc.counters=false}.
         */
        public Builder counters(boolean counts) {
            options.counters(counts);
            return this;
        }

        /** Sets how the polling thread waits; default {@link IdleStrategy#ADAPTIVE}. */
        public Builder idle(IdleStrategy strategy) {
            options.idle(Objects.requireNonNull(strategy, "idle"));
            return this;
        }

        /**
         * Has the polling thread poll for so long, without yielding, before it sleeps, in place of {@link #idle}: for
         * handlers that leave work to other threads, which want the processors as well.
         */
        public Builder spin(Duration most) {
            options.spin(Objects.requireNonNull(most, "most"));
            return this;
        }

        /**
         * Starts.
         *
         * @throws IllegalArgumentException without an address or handlers
         * @throws VerbsException when the address is in use, or this host has no device for it
         */
        public MessageServer start() {
            if (options.address() == null || options.handlers() == null) {
                throw new IllegalArgumentException("a message server needs bind(address) and handler(…): address="
                        + options.address());
            }
            MessageServerCore core = new MessageServerCore(options);
            core.start();
            return new MessageServer(core);
        }
    }

    static int checkFrame(int bytes) {
        if (bytes < 1 || bytes > 1 << 30) {
            throw new IllegalArgumentException("maxFrameBytes must be 1 to " + (1 << 30) + ", maxFrameBytes=" + bytes);
        }
        return bytes;
    }

    /** Returns the address, null after {@link #unbind()}. */
    public @Nullable String address() {
        return core.address();
    }

    /** Gives the address free: nobody connects any more, sessions go on. Idempotent. */
    public void unbind() {
        core.unbind();
    }

    /**
     * Takes new sessions at another address of the same device; sessions go on.
     *
     * @param another {@code scheme://…}
     * @throws VerbsException when it is in use: the old address is given free all the same
     */
    public void rebind(String another) {
        core.rebind(another);
    }

    /**
     * Ends all sessions of some principals, and lets them in no more; their handlers are told with UNAUTHENTICATED.
     * A principal for which the predicate throws counts as one of them. Any thread.
     *
     * @return takes that back, for those who come later; idempotent
     */
    public AutoCloseable revoke(Predicate<RpcPrincipal> which) {
        return core.guard().revoke(which);
    }

    /** Returns true until it is closed, or its device is gone. */
    public boolean isOpen() {
        return core.isOpen();
    }

    /** Returns true on the thread that calls the handlers. */
    public boolean isPollingThread() {
        return core.isPollingThread();
    }

    /**
     * Ends all sessions and gives the address free; so does the loss of the device. Idempotent; from a handler it
     * returns before all is over.
     */
    @Override
    public void close() {
        core.close();
    }
}
