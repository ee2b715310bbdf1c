package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;

/**
 * Client and server spin on one processor, in a JVM that believes to have two: each side must leave it to the other, or
 * a call takes what the system gives a thread before it is another's turn, some milliseconds.
 */
class OneProcessorTest {

    static final Path TASKSET = Path.of("/usr/bin/taskset");
    private static final int WARM_UP = 500;
    private static final int CALLS = 200;
    /** Of the caller's processor time for a call: some times what it takes, and a fraction of a turn of a thread. */
    private static final long MOST_NS = 500_000;

    @Test
    void threadsThatSpinLeaveTheProcessorToEachOther() throws IOException {
        assumeTrue(Files.isExecutable(TASKSET), "no " + TASKSET);
        try (ChildJvm child = JavaCommand.of(Both.class)
                .startedBy(List.of(TASKSET.toString(), "-c", firstProcessor()))
                .option("-XX:ActiveProcessorCount=2").option("-Xmx256m")
                .arguments(ShmFolder.address())
                .start()) {
            for (String kind : List.of("synchronous", "asynchronous")) {
                long ns = Long.parseLong(child.expect(kind));
                assertTrue(ns < MOST_NS, () -> kind + ": processor time of a call, ns=" + ns + " limit=" + MOST_NS);
            }
        }
    }

    /** Returns the number of the first processor that this process may use. */
    static String firstProcessor() throws IOException {
        String name = "Cpus_allowed_list:";
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).trim().split("[-,]")[0])
                .findFirst().orElse("0");
    }

    /** A server and its client. */
    static final class Both {

        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private Both() {
        }

        public static void main(String[] arguments) {
            try (RpcServer server = RpcServer.builder().bind(arguments[0]).service(Calls.class, new CallsImpl())
                            .idle(IdleStrategy.SPIN).start();
                    RpcClient client = RpcClient.builder(server.address()).idle(IdleStrategy.SPIN).connect()) {
                Calls calls = client.stub(Calls.class);
                CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
                System.out.println("synchronous " + processorNs(n -> calls.add(n, 1)));
                System.out.println("asynchronous " + processorNs(n -> async.add(n, 1).join()));
            }
        }

        /** Returns what a call takes of this thread's processor time, on average. */
        private static long processorNs(LongUnaryOperator call) {
            repeat(WARM_UP, call);
            long beforeNs = THREADS.getCurrentThreadCpuTime();
            repeat(CALLS, call);
            return (THREADS.getCurrentThreadCpuTime() - beforeNs) / CALLS;
        }

        private static void repeat(int count, LongUnaryOperator call) {
            for (int i = 0; i < count; i++) {
                if (call.applyAsLong(i) != i + 1) {
                    throw new AssertionError("wrong answer to call=" + i);
                }
            }
        }
    }
}
