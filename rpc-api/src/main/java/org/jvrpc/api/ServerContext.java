package org.jvrpc.api;

import java.net.InetAddress;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.stub.MethodDescriptor;

/** One call as the server sees it; handlers get theirs from the server's {@code RpcServer.context()}. */
public interface ServerContext extends RpcContext.Call {

    /** Returns the method that is called. */
    MethodDescriptor method();

    /** Returns what travelled beside the arguments; empty when nothing did. */
    Metadata metadata();

    /** Returns false when nothing travelled beside the arguments; allocates nothing. */
    default boolean hasMetadata() {
        return !metadata().isEmpty();
    }

    /**
     * Asks to be told once how the handler's work ended: the status that its caller is told and the message, which is
     * null for {@link Status#OK}. A call that ended by a declared exception ended {@code OK}. That of a handler that
     * returned a future ends when the future is complete, that of one which returned a stream with the stream; others
     * end with the interceptors. Told by whichever thread ends it, a server's poller often, which it must not hold up.
     *
     * @param listener what it throws is logged
     * @throws UnsupportedOperationException where this is no call of a server
     */
    default void whenEnded(BiConsumer<Status, @Nullable String> listener) {
        throw new UnsupportedOperationException("nobody tells how this call ends: " + method().fullName());
    }

    /**
     * Returns what is to travel beside the answer, to be added to until the call ends; bounded as {@link #metadata()}
     * is. Clients that do not understand it are not sent it.
     */
    default Metadata responseMetadata() {
        return new Metadata();
    }

    /** Returns the time left to the caller in nanoseconds, {@link Long#MAX_VALUE} when the caller did not send it. */
    @Override
    long remainingNs();

    /** Returns true when the caller cancelled or died; a long handler should look from time to time. */
    @Override
    boolean isCancelled();

    /** Returns a number that names the client's session, unique in the life of the server. */
    long sessionId();

    /**
     * Returns the address of the client's host, as the network's connection manager has it and not by the client's own
     * word; null when the client is a process of this host, by shared memory.
     */
    default @Nullable InetAddress clientHost() {
        return null;
    }

    /**
     * Returns who calls: whose token came with the call, where the server knows tokens; else who the transport says is
     * at the other end. Never null; of somebody unknown {@link RpcPrincipal#isKnown} is false.
     */
    default RpcPrincipal principal() {
        return RpcPrincipal.anonymous();
    }
}
