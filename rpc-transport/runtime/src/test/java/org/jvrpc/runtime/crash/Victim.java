package org.jvrpc.runtime.crash;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testing.crash.CrashVictim;

/** A child that calls, or answers. */
final class Victim {

    private Victim() {
    }

    public static void main(String[] args) throws InterruptedException {
        CrashVictim.run(Map.of("call", Victim::call, "session", Victim::session, "answer", Victim::answer), args);
    }

    private static Runnable call(List<String> arguments) {
        long first = Long.parseLong(arguments.get(1));
        RpcClient client = RpcClient.connect(arguments.get(0));
        Counted calls = client.stub(Counted.class);
        return () -> calls(calls, first);
    }

    private static Runnable session(List<String> arguments) {
        long first = Long.parseLong(arguments.get(1));
        return () -> {
            try (RpcClient client = RpcClient.connect(arguments.get(0))) {
                calls(client.stub(Counted.class), first);
            }
        };
    }

    /** Calls by each way that bodies go. */
    private static void calls(Counted calls, long first) {
        check(calls.light(first) == -first);
        calls.tell(first + 1);
        check(Arrays.equals(CountedCalls.of(first + 3, 100), calls.bytes(first + 2, CountedCalls.of(first + 2, 100))));
        check(Arrays.equals(CountedCalls.of(first + 4, Counted.LONG),
                calls.bytes(first + 3, CountedCalls.of(first + 3, Counted.LONG))));
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new IllegalStateException("a wrong answer");
        }
    }

    /** Serves; the thread that runs the calls counts its stores from the call to the other that say so. */
    private static Runnable answer(List<String> arguments) {
        CountDownLatch ended = new CountDownLatch(1);
        RpcServer.builder().bind(arguments.get(0)).service(Counted.class, new CountedCalls() {
            @Override
            public void end() {
                ended.countDown();
            }
        }).start();
        return () -> {
            try {
                ended.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
    }
}
