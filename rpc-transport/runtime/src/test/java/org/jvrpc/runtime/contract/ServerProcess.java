package org.jvrpc.runtime.contract;

import java.io.Serializable;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.RpcServer;

/**
 * The process in which the servers of a test run: the test's own, or another. What is to be done there is a lambda that
 * may travel: it captures values that are serializable, never the test. One that captures more fails where it would
 * have to travel.
 */
public interface ServerProcess extends AutoCloseable {

    /** What is done at the servers. */
    @FunctionalInterface
    interface Work<T> extends Serializable {
        /** Does it, and returns what the test wants to know: values that are serializable. */
        T on(ServerSide side) throws Exception;
    }

    /** As {@link Work}, of which the test wants to know nothing. */
    @FunctionalInterface
    interface Task extends Serializable {
        /** Does it. */
        void on(ServerSide side) throws Exception;
    }

    /** What a server is made with. */
    @FunctionalInterface
    interface Settings extends Serializable {
        /** Sets them, and returns the builder. */
        RpcServer.Builder on(RpcServer.Builder builder);
    }

    /** What a server is made with that uses what the test has beside it. */
    @FunctionalInterface
    interface SideSettings extends Serializable {
        /** Sets them, and returns the builder. */
        RpcServer.Builder on(RpcServer.Builder builder, ServerSide side);
    }

    /** What a server of message sessions is made with. */
    @FunctionalInterface
    interface MessageSettings extends Serializable {
        /** Sets them, and returns the builder. */
        MessageServer.Builder on(MessageServer.Builder builder);
    }

    /** Does something at the servers, one thing at a time, and returns what it returned or throws what it threw. */
    <T> T ask(Work<T> work);

    /** Ends all that the test has there. */
    @Override
    void close();
}
