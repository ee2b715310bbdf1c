package org.jvrpc.runtime.contract;

import java.time.Duration;
import org.jvrpc.runtime.RpcServer;

/** A server of a test, in whichever process; its methods are those of {@link RpcServer}. */
final class TestServer implements AutoCloseable {

    private final ServerProcess process;
    private final int number;
    private final String address;

    TestServer(ServerProcess process, int number) {
        this.process = process;
        this.number = number;
        address = ask(RpcServer::address);
    }

    /** As {@link ServerProcess.Work}, on this server. */
    @FunctionalInterface
    interface Use<T> extends java.io.Serializable {
        T of(RpcServer server) throws Exception;
    }

    /** Does something with the server. */
    <T> T ask(Use<T> use) {
        int mine = number;
        return process.ask(side -> use.of(side.server(mine)));
    }

    private void tell(ServerProcess.Task task) {
        process.ask(side -> {
            task.on(side);
            return null;
        });
    }

    String address() {
        return address;
    }

    void shutdown() {
        int mine = number;
        tell(side -> side.server(mine).shutdown());
    }

    void shutdownNow() {
        int mine = number;
        tell(side -> side.server(mine).shutdownNow());
    }

    boolean awaitTermination(Duration limit) {
        return ask(server -> server.awaitTermination(limit));
    }

    @Override
    public void close() {
        int mine = number;
        tell(side -> side.server(mine).close());
    }
}
