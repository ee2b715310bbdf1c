package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;

/** What the suites of calls share: servers and clients. */
public abstract class RpcContract extends ServerFixture {

    /** Starts a server of {@link CallsImpl}. */
    final TestServer serve(String address, ServerProcess.Settings settings) {
        return serve(address, (builder, side) -> settings.on(builder));
    }

    /** Starts a server of {@link CallsImpl} that uses what the test has beside it. */
    final TestServer serve(String address, ServerProcess.SideSettings settings) {
        return keep(new TestServer(process(), askServer(side -> side.serve(address, settings))));
    }

    /** Starts a server of {@link CallsImpl} with the default settings. */
    final TestServer serve() {
        return serve(newAddress(), builder -> builder);
    }

    /** Returns how many one-way calls were made. */
    final long ticks() {
        return askServer(side -> side.impl.ticks.get());
    }

    final long ticksOutOfOrder() {
        return askServer(side -> side.impl.ticksOutOfOrder.get());
    }

    /** Returns how many calls wait for the gate, or for their caller to cancel. */
    final int hanging() {
        return askServer(side -> side.impl.hanging.get());
    }

    /** Returns how many calls of {@link Calls#untilCancelled} began. */
    final int cancellable() {
        return askServer(side -> side.impl.cancellable.get());
    }

    /** Returns how many calls of {@link Calls#nothing} were made. */
    final int callsMade() {
        return askServer(side -> side.impl.calls.get());
    }

    /** Returns what the servers have noted, in order: {@link ServerSide#note}. */
    final List<String> notes() {
        return askServer(ServerSide::notes).stream().map(ServerSide.Note::text).toList();
    }

    /** Waits until a handler sees that its caller has cancelled. */
    final void awaitCancelSeen() {
        tellServer(side -> Await.latch("the handler to see it", side.impl.cancelSeen));
    }

    /** Connects. */
    final RpcClient connect(TestServer server, UnaryOperator<RpcClient.Builder> settings) {
        return keep(settings.apply(RpcClient.builder(clientAddress(server.address())).objectGraphs(true)).connect());
    }

    /** Connects with the default settings. */
    final RpcClient connect(TestServer server) {
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
}
