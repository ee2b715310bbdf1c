package org.jvrpc.runtime.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.crash.CrashScene;

/**
 * The child serves this process: each call ends within its time, with its own answer, or because the server is gone. A
 * caller that waits for a server that stands is held up until its time is over and no longer; other servers' are not.
 */
final class ServerScene implements CrashScene {

    private static final CallOptions BRIEF = CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(50));

    private final ClientScene others = new ClientScene("others");
    private String address;
    private RpcClient client;
    private Counted brief;
    private CompletableFuture<List<String>> answers;
    private int rounds;

    @Override
    public List<String> begin() {
        address = SharedMemoryFolder.freshAddress();
        return List.of(address);
    }

    @Override
    public void go() {
        client = RpcClient.builder(address).reconnect(false).connect();
        brief = client.stub(Counted.class, BRIEF);
        rounds++;
    }

    /** Makes the calls in one thread, once the child's stores can count. */
    @Override
    public void step() {
        if (client == null || answers != null) {
            return;
        }
        answers = CompletableFuture.supplyAsync(this::callAll, task -> new Thread(task, "scene-caller").start());
    }

    private List<String> callAll() {
        Counted calls = client.stub(Counted.class);
        while (!begun(calls)) { // its main thread may not have said yet that stores count
            Thread.onSpinWait();
        }
        List<String> ends = new ArrayList<>();
        ends.add(call(() -> calls.light(1) == -1));
        ends.add(call(() -> {
            calls.tell(2);
            return true;
        }));
        ends.add(call(() -> Arrays.equals(CountedCalls.of(4, 100), calls.bytes(3, CountedCalls.of(3, 100)))));
        ends.add(call(() -> Arrays.equals(CountedCalls.of(5, Counted.LONG),
                calls.bytes(4, CountedCalls.of(4, Counted.LONG)))));
        ends.add(call(() -> {
            calls.end();
            return true;
        }));
        return ends;
    }

    private static boolean begun(Counted calls) {
        try {
            calls.begin();
            return true;
        } catch (RpcException e) {
            return e.status() == Status.UNAVAILABLE;
        }
    }

    private static String call(Callable<Boolean> what) {
        try {
            return what.call() ? "OK" : "WRONG";
        } catch (RpcException e) {
            return e.status() == Status.UNAVAILABLE ? "GONE" : e.toString();
        } catch (Exception e) {
            return e.toString();
        }
    }

    @Override
    public void others() {
        others.begin();
        others.others();
        try {
            assertEquals(-7, brief.light(7));
        } catch (RpcException e) {
            assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e::toString);
        }
    }

    @Override
    public void end(boolean whole) {
        stepUntil("the calls to end", answers::isDone);
        List<String> ends;
        try {
            ends = answers.join();
        } catch (CompletionException e) {
            throw new AssertionError(e);
        }
        boolean gone = false;
        for (String end : ends) {
            gone |= end.equals("GONE");
            assertTrue(end.equals(gone ? "GONE" : "OK"), () -> "round " + rounds + ": " + ends);
        }
        // The last answer may be lost when the child ends behind the last of its stores.
        assertTrue(!whole || !ends.subList(0, ends.size() - 1).contains("GONE"), ends::toString);
        client.close();
        client = null;
        answers = null;
        others.begin();
        others.others();
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
        others.close();
    }

    @Override
    public String toString() {
        return "answers=" + answers;
    }
}
