package org.jvrpc.runtime.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.crash.CrashScene;

/** The child calls this process: none of its calls is run twice, another client's go on. */
final class ClientScene implements CrashScene {

    /** Long calls after which both sides have taken the memory that they keep for more of them. */
    private static final int WARM_UP = 64;
    /** Numbers that a child uses. */
    private static final int NUMBERS = 4;

    private final CountedCalls impl = new CountedCalls();
    private final RpcServer server =
            RpcServer.builder().bind(SharedMemoryFolder.freshAddress()).service(Counted.class, impl).start();
    private final RpcClient client = RpcClient.connect(server.address());
    private final Counted calls = client.stub(Counted.class);
    private final String operation;
    private long next = 1;
    private long theirs;

    ClientScene(String operation) {
        this.operation = operation;
        for (int i = 0; i < WARM_UP; i++) {
            others();
        }
    }

    @Override
    public List<String> begin() {
        theirs = next;
        next += NUMBERS;
        return List.of(server.address(), Long.toString(theirs));
    }

    @Override
    public void step() {
        // The server has threads of its own.
    }

    @Override
    public void others() {
        assertEquals(-next, calls.light(next));
        assertEquals((byte) (next + 1), calls.bytes(next, CountedCalls.of(next, Counted.LONG))[Counted.LONG - 1]);
        assertEquals(2, impl.runs(next++));
    }

    @Override
    public void end(boolean whole) {
        others();
        for (int i = 0; i < NUMBERS; i++) {
            long number = theirs + i;
            assertTrue(impl.runs(number) <= 1, () -> "run twice: " + this);
            if (whole) {
                stepUntil("the call to be run", () -> impl.runs(number) == 1);
            }
        }
    }

    @Override
    public void close() {
        client.close();
        server.shutdownNow();
    }

    @Override
    public String toString() {
        StringBuilder runs = new StringBuilder(operation);
        for (int i = 0; i < NUMBERS; i++) {
            runs.append(' ').append(impl.runs(theirs + i));
        }
        return runs.toString();
    }
}
