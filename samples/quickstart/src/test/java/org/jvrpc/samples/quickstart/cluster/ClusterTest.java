package org.jvrpc.samples.quickstart.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.samples.quickstart.OrderBook;
import org.jvrpc.samples.quickstart.Orders;
import org.jvrpc.samples.quickstart.Quickstart;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Processes;
import org.jvrpc.testing.Waits;

/** {@code run cluster} as its users see it, and what makes it fail. */
final class ClusterTest {

    private static final Pattern PROCESS = Pattern.compile("server-\\d, process (\\d+), is registered");

    @Test
    void noCallIsLostWhenServersAreKilledDrainedAndStarted() {
        try (ChildJvm run = JavaCommand.of(Quickstart.class).errorsApart()
                .arguments("cluster", "--seconds", "2", "--threads", "1").start()) {
            int status = run.exitStatus();
            String output = String.join("\n", run.output()) + "\n" + String.join("\n", run.errors());
            assertEquals(0, status, output);
            for (String row : new String[] {"1 .* still there", "2 .* killed", "3 .* drained", "4 .* still there"}) {
                assertTrue(Pattern.compile("(?m)^server-" + row + "$").matcher(output).find(), output);
            }
            assertTrue(output.contains(" calls, 0 failed; "), output);
            List<Long> servers = new ArrayList<>();
            for (Matcher process = PROCESS.matcher(output); process.find();) {
                servers.add(Long.parseLong(process.group(1)));
            }
            assertEquals(4, servers.size(), output);
            Waits.until("the ends of " + servers, () -> servers.stream().noneMatch(Processes::isRunning));
        }
    }

    @Test
    void aCallThatFailsIsCounted() {
        Orders broken = (Orders) Proxy.newProxyInstance(Orders.class.getClassLoader(), new Class<?>[] {Orders.class},
                (proxy, method, arguments) -> {
                    throw new RpcException(Status.UNAVAILABLE, "planted by a test");
                });
        try (Load load = new Load(broken, 1, System.nanoTime())) {
            Waits.until("failed calls", () -> load.failed() > 2);
            assertTrue(load.servers().isEmpty());
        }
    }

    @Test
    void anAnswerIsCountedForTheServerThatGaveIt() {
        OrderBook book = new OrderBook(7);
        book.place(MemberMain.firstOrder(7));
        Load.Answers none = new Load.Answers(0, 0, 0);
        try (Load load = new Load(book, 2, System.nanoTime())) {
            Waits.until("answers", () -> load.servers().getOrDefault("server-7", none).calls() > 2);
            assertEquals(0, load.failed());
        }
    }
}
