package org.jvrpc.runtime.contract;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all suites share: a process for servers, and what is closed after each test. */
abstract class ServerFixture implements RpcUnderTest {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private ServerProcess process;

    @BeforeEach
    final void beginProcess() {
        process = serverProcess();
        keep(process); // is closed last
    }

    final ServerProcess process() {
        return process;
    }

    /** Has something closed when the test ends, last first. */
    protected final <C extends AutoCloseable> C keep(C closeable) {
        open.push(closeable);
        return closeable;
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

    /** Lets everything go that hangs. */
    final void openGate() {
        tellServer(side -> side.impl.openGate());
    }

    @AfterEach
    final void closeAll() {
        keep(this::openGate);
        Throwable first = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception | AssertionError e) { // a process that died
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw new AssertionError("what the test has open does not close", first);
        }
    }
}
