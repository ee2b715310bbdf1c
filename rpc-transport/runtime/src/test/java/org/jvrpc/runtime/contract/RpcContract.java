package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** What the suites share: servers and clients that are closed after each test. */
public abstract class RpcContract implements RpcUnderTest {

    /** The service of the server that {@link #serve} makes. */
    protected final CallsImpl impl = new CallsImpl();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Has something closed when the test ends, last first. */
    protected final <C extends AutoCloseable> C keep(C closeable) {
        open.push(closeable);
        return closeable;
    }

    /** Starts a server of {@link #impl}. */
    protected final RpcServer serve(String address, UnaryOperator<RpcServer.Builder> settings) {
        return keep(settings.apply(
                RpcServer.builder().bind(address).service(Calls.class, impl).context(true)).start());
    }

    /** Starts a server of {@link #impl} with the default settings. */
    protected final RpcServer serve() {
        return serve(newAddress(), builder -> builder);
    }

    /** Connects. */
    protected final RpcClient connect(RpcServer server, UnaryOperator<RpcClient.Builder> settings) {
        return keep(settings.apply(RpcClient.builder(clientAddress(server.address()))).connect());
    }

    /** Connects with the default settings. */
    protected final RpcClient connect(RpcServer server) {
        return connect(server, builder -> builder);
    }

    /** Returns the asynchronous stub. */
    protected static CallsAsync async(RpcClient client) {
        return client.asyncStub(Calls.class, CallsAsync.class);
    }

    /** Makes a stub of a client with a short deadline, which the opening of the service has, too: it is repeated. */
    protected static Calls opened(RpcClient client, CallOptions options) {
        Calls[] made = new Calls[1];
        Await.until("the service to be opened", () -> {
            try {
                made[0] = client.stub(Calls.class, options);
                return true;
            } catch (RpcException e) {
                assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
                return false;
            }
        });
        return made[0];
    }

    /** Fails unless a call fails with a status; returns the message. */
    protected static String failsWith(Status status, Executable call) {
        RpcException e = assertThrows(RpcException.class, call);
        assertEquals(status, e.status(), e.getMessage());
        return e.getMessage();
    }

    /** Fails unless a future ended with a status; returns the message. */
    protected static String endedWith(Status status, Object outcome) {
        if (!(outcome instanceof RpcException)) {
            throw new AssertionError("expected " + status + ", ended with " + outcome);
        }
        RpcException e = (RpcException) outcome;
        assertEquals(status, e.status(), e.getMessage());
        return e.getMessage();
    }

    @AfterEach
    final void closeAll() throws Exception {
        impl.openGate();
        Exception first = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
