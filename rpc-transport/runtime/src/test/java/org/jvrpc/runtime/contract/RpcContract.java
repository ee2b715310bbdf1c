package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;

/** What the suites share: servers and clients that are closed after each test. */
public abstract class RpcContract implements RpcUnderTest {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private ServerProcess process;

    @BeforeEach
    final void beginProcess() {
        process = serverProcess();
    }

    /** Does something where the servers are, and returns what it returned: see {@link ServerProcess}. */
    final <T> T askServer(ServerProcess.Work<T> work) {
        return process.ask(work);
    }

    /** As {@link #askServer}, for what returns nothing. */
    final void tellServer(ServerProcess.Task task) {
        process.ask(side -> {
            task.on(side);
            return null;
        });
    }

    /** Has something closed when the test ends, last first. */
    protected final <C extends AutoCloseable> C keep(C closeable) {
        open.push(closeable);
        return closeable;
    }

    /** Starts a server of {@link CallsImpl}. */
    final TestServer serve(String address, ServerProcess.Settings settings) {
        return serve(address, (builder, side) -> settings.on(builder));
    }

    /** Starts a server of {@link CallsImpl} that uses what the test has beside it. */
    final TestServer serve(String address, ServerProcess.SideSettings settings) {
        return keep(new TestServer(process, askServer(side -> side.serve(address, settings))));
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

    /** Lets everything go that hangs. */
    final void openGate() {
        tellServer(side -> side.impl.openGate());
    }

    /** Waits until a handler sees that its caller has cancelled. */
    final void awaitCancelSeen() {
        tellServer(side -> Await.latch("the handler to see it", side.impl.cancelSeen));
    }

    /** Connects. */
    final RpcClient connect(TestServer server, UnaryOperator<RpcClient.Builder> settings) {
        return keep(settings.apply(RpcClient.builder(clientAddress(server.address()))).connect());
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

    @AfterEach
    final void closeAll() {
        open.push(this::openGate);
        open.addLast(process); // is closed last
        Throwable first = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception | AssertionError e) { // a process that died
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw new AssertionError("what the test had open does not close", first);
        }
    }
}
