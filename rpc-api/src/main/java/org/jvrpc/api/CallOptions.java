package org.jvrpc.api;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.auth.CallCredentials;

/**
 * Options of calls beyond their arguments. Immutable: each {@code with…} returns a changed copy.
 */
public final class CallOptions {

    /** The method's own deadline, or the client's; no metadata; fails at once while there is no connection. */
    public static final CallOptions DEFAULT = new CallOptions(0, false, null, null, null, null, null);

    private final long deadlineNs;
    private final boolean waitForReady;
    private final @Nullable Metadata metadata;
    private final @Nullable CallCredentials credentials;
    private final @Nullable Consumer<Metadata> responseMetadata;
    private final @Nullable Executor callbackExecutor;
    private final @Nullable String hashKey;

    private CallOptions(
            long deadlineNs,
            boolean waitForReady,
            @Nullable Metadata metadata,
            @Nullable CallCredentials credentials,
            @Nullable Consumer<Metadata> responseMetadata,
            @Nullable Executor callbackExecutor,
            @Nullable String hashKey) {
        this.deadlineNs = deadlineNs;
        this.waitForReady = waitForReady;
        this.metadata = metadata;
        this.credentials = credentials;
        this.responseMetadata = responseMetadata;
        this.callbackExecutor = callbackExecutor;
        this.hashKey = hashKey;
    }

    /** Limits each call to a time from its start; more than zero. */
    public CallOptions withDeadlineAfter(Duration deadline) {
        if (deadline.isZero() || deadline.isNegative()) {
            throw new IllegalArgumentException("deadline must be positive, deadline=" + deadline);
        }
        return new CallOptions(deadline.toNanos(), waitForReady, metadata, credentials,
                responseMetadata, callbackExecutor, hashKey);
    }

    /** Lets calls wait, within their deadline, for a connection instead of failing with {@link Status#UNAVAILABLE}. */
    public CallOptions withWaitForReady() {
        return new CallOptions(deadlineNs, true, metadata, credentials,
                responseMetadata, callbackExecutor, hashKey);
    }

    /** Sends a name and a value with each call. */
    public CallOptions withMetadata(String name, String value) {
        Metadata next = new Metadata();
        if (metadata != null) {
            next.putAll(metadata);
        }
        next.put(name, Objects.requireNonNull(value, "value"));
        return new CallOptions(deadlineNs, waitForReady, next, credentials,
                responseMetadata, callbackExecutor, hashKey);
    }

    /**
     * Has somebody hear what travelled beside each answer, before the call returns or its future completes: empty when
     * nothing did. It must not block; what it throws is logged.
     */
    public CallOptions withResponseMetadata(Consumer<Metadata> listener) {
        return new CallOptions(deadlineNs, waitForReady, metadata, credentials,
                Objects.requireNonNull(listener, "listener"), callbackExecutor, hashKey);
    }

    /**
     * Has futures complete, and callbacks run, on an executor instead of a thread that takes answers. Where it refuses
     * to, they run on that thread, and a warning is logged.
     */
    public CallOptions withCallbackExecutor(Executor executor) {
        return new CallOptions(deadlineNs, waitForReady, metadata, credentials, responseMetadata,
                Objects.requireNonNull(executor, "executor"), hashKey);
    }

    /** Lets calls fail at once where there is no connection, as they do by default. */
    public CallOptions withoutWaitForReady() {
        return new CallOptions(deadlineNs, false, metadata, credentials, responseMetadata, callbackExecutor, hashKey);
    }

    /**
     * Has calls of the same key go to the same of several servers, where the client's policy goes by keys
     * ({@code ring_hash}); a stub with another key is made by these options with another key. Other policies pay no
     * heed.
     */
    public CallOptions withHashKey(String key) {
        return new CallOptions(deadlineNs, waitForReady, metadata, credentials, responseMetadata, callbackExecutor,
                Objects.requireNonNull(key, "key"));
    }

    /** Returns the key by which a server is chosen, or null. */
    public @Nullable String hashKey() {
        return hashKey;
    }

    /** Returns the deadline of each call in nanoseconds, 0 for the method's or the client's. */
    public long deadlineNs() {
        return deadlineNs;
    }

    /** Returns true when calls wait for a connection. */
    public boolean waitForReady() {
        return waitForReady;
    }

    /** Returns who hears what travelled beside answers, or null. */
    public @Nullable Consumer<Metadata> responseMetadata() {
        return responseMetadata;
    }

    /** Returns where futures complete and callbacks run, or null for a thread that takes answers. */
    public @Nullable Executor callbackExecutor() {
        return callbackExecutor;
    }

    /** Copies the metadata of these options into another. */
    public void copyMetadataTo(Metadata target) {
        if (metadata != null) {
            target.putAll(metadata);
        }
    }

    /** Returns true when calls carry metadata. */
    public boolean hasMetadata() {
        return metadata != null;
    }

    /**
     * Has each call, and the opening of the service, show who makes it. Stubs with such options are refused, with
     * {@link Status#UNAUTHENTICATED}, where the address is of a transport that neither encrypts nor stays on this host:
     * what a caller shows could be read on the way.
     */
    public CallOptions withCredentials(CallCredentials shown) {
        return new CallOptions(deadlineNs, waitForReady, metadata, Objects.requireNonNull(shown, "credentials"),
                responseMetadata, callbackExecutor, hashKey);
    }

    /** Returns what calls show; null for nothing. */
    public @Nullable CallCredentials credentials() {
        return credentials;
    }
}
