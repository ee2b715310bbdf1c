package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;

/**
 * Client and server with the default strategy on one processor that other threads want all the time. A yield costs the
 * turns of those; who sleeps is run as soon as it is woken.
 */
class BusyProcessorTest {

    private static final int WARM_UP = 300;
    private static final int CALLS = 300;
    private static final int OTHERS = 4;
    /** Where the system lets a thread that yields run again at once, calls need not be quicker than this. */
    private static final long CHEAP_TURN_NS = 2_000_000;

    @Test
    void callsDoNotWaitForTheTurnsOfOthers() throws IOException {
        assumeTrue(Files.isExecutable(OneProcessorTest.TASKSET), "no " + OneProcessorTest.TASKSET);
        try (ChildJvm child = JavaCommand.of(Both.class)
                .startedBy(List.of(OneProcessorTest.TASKSET.toString(), "-c", OneProcessorTest.firstProcessor()))
                .option("-XX:ActiveProcessorCount=2").option("-Xmx256m")
                .arguments(ShmFolder.address())
                .start()) {
            long turnNs = Long.parseLong(child.expect("turn"));
            long callNs = Long.parseLong(child.expect("call"));
            long limitNs = Math.max(turnNs, CHEAP_TURN_NS);
            assertTrue(callNs < limitNs, () -> "a call takes ns=" + callNs + ", a yield ns=" + turnNs);
        }
    }

    /** A server, its client, and threads that do nothing but run. */
    static final class Both {

        private Both() {
        }

        public static void main(String[] arguments) {
            for (int i = 0; i < OTHERS; i++) {
                Thread other = new Thread(() -> {
                    while (true) {
                        Thread.onSpinWait();
                    }
                });
                other.setDaemon(true);
                other.start();
            }
            try (RpcServer server = RpcServer.builder().bind(arguments[0]).service(Calls.class, new CallsImpl())
                            .start();
                    RpcClient client = RpcClient.connect(server.address())) {
                Calls calls = client.stub(Calls.class);
                System.out.println("turn " + medianNs(20, Thread::yield));
                medianNs(WARM_UP, () -> calls.add(1, 1));
                System.out.println("call " + medianNs(CALLS, () -> calls.add(1, 1)));
            }
        }

        private static long medianNs(int count, Runnable work) {
            long[] ns = new long[count];
            for (int i = 0; i < count; i++) {
                long fromNs = System.nanoTime();
                work.run();
                ns[i] = System.nanoTime() - fromNs;
            }
            Arrays.sort(ns);
            return ns[count / 2];
        }
    }
}
