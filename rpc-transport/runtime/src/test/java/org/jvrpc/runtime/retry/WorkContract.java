package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** What the suites share: a server that counts, and its clients. */
abstract class WorkContract implements RpcUnderTest {

    final CountingWork work = new CountingWork();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    final <C extends AutoCloseable> C keep(C closeable) {
        open.push(closeable);
        return closeable;
    }

    final RpcServer serve(String address, UnaryOperator<RpcServer.Builder> settings) {
        return keep(settings.apply(RpcServer.builder().bind(address).service(Work.class, work)).start());
    }

    final RpcServer serve() {
        return serve(newAddress(), builder -> builder);
    }

    final RpcClient connect(RpcServer server, UnaryOperator<RpcClient.Builder> settings) {
        return keep(settings.apply(RpcClient.builder(clientAddress(server.address()))).connect());
    }

    final RpcClient connect(RpcServer server) {
        return connect(server, builder -> builder);
    }

    static WorkAsync async(RpcClient client) {
        return client.asyncStub(Work.class, WorkAsync.class);
    }

    /** Fails unless a call fails with a status. */
    static RpcException failsWith(Status status, Executable call) {
        RpcException e = assertThrows(RpcException.class, call);
        assertEquals(status, e.status(), e.getMessage());
        return e;
    }

    @AfterEach
    final void closeAll() throws Exception {
        work.openGate();
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
