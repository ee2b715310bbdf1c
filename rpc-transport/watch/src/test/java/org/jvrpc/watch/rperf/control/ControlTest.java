package org.jvrpc.watch.rperf.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.Waits;
import org.jvrpc.watch.StampSource;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.rperf.Distribution;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.RperfResult;

/** Agents that are driven from one place. */
class ControlTest {

    private static final ProbeKeys KEYS = ProbeKeys.of(1, "0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
    private static final Distribution RTT = new Distribution(new long[] {1, 900, 2_500, 90_000},
            new long[] {1, 7, 100_000, 2});

    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private volatile Order asked;
    private volatile boolean done;
    private ControlServer server;

    @BeforeEach
    void open() throws IOException {
        server = ControlServer.open(new InetSocketAddress(HOST, 0), KEYS, "roce://10.0.0.2:7471", this::prepare);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Measurement prepare(Order order) {
        if (order.to().contains("refuse")) {
            throw new IllegalStateException("nobody listens there: 100 % sure");
        }
        asked = order;
        opened.incrementAndGet();
        return new Measurement() {
            @Override
            public void start() {
                // done when the test says so
            }

            @Override
            public void stop() {
                done = true;
            }

            @Override
            public long pairs() {
                return 17;
            }

            @Override
            public RperfResult result() {
                return done ? ControlTest.result(order.pattern()) : null;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    private static RperfResult result(LoadPattern pattern) {
        return new RperfResult("", pattern, StampSource.SOFTWARE, null, 2.5, 100_012, 2, 2_499.5, 3, 4,
                "a SEND ended; 5 % of \u00fc", RTT.figures(), RTT.figures(), RTT.figures(), -30, 4_000,
                -2_015, 37.5, RTT);
    }

    private static Order order(String to) {
        return new Order(to, 3, true, LoadPattern.ofBytes(512).withOutstanding(8).withRate(12_345.678)
                .withOnOff(1_000, 2_000), 5, 1_000_000, List.of(0, 3));
    }

    private ControlClient client() throws IOException {
        return ControlClient.connect(HOST, server.port(), KEYS);
    }

    @Test
    void anOrderArrivesAsItWasGivenAndItsResultComesBack() throws IOException {
        try (ControlClient client = client()) {
            assertEquals("roce://10.0.0.2:7471", client.device());
            client.prepare(order("roce://10.0.0.3:7471?udp=4791&a=b c"));
            assertEquals(order("roce://10.0.0.3:7471?udp=4791&a=b c"), asked);
            client.start();
            assertNull(client.result());
            client.stop();
            RperfResult found = client.result();
            RperfResult expected = result(asked.pattern()).named(client.name());
            assertEquals(expected.named("x").toString().replaceAll("\\[J@\\w+", ""),
                    found.named("x").toString().replaceAll("\\[J@\\w+", ""));
            assertArrayEquals(RTT.valuesNs(), found.distribution().valuesNs());
            assertArrayEquals(RTT.counts(), found.distribution().counts());
        }
    }

    @Test
    void anAgentThatSaysNothingOfServiceLevelsKnowsNone() throws IOException {
        String why = assertThrows(IOException.class, () -> ControlClient.expectLevels("h:1", order("shm://a"), ""))
                .getMessage();
        assertTrue(why.contains("h:1") && why.contains("sl=0,3"), why);
        ControlClient.expectLevels("h:1", new Order("shm://a", 1, true, LoadPattern.ofBytes(64), 0, 1_000_000), "");
    }

    @Test
    void serviceLevelsOfAnOrderAreZeroToSevenAndNoMoreThanItsQps() {
        for (List<Integer> wrong : List.of(List.<Integer>of(), List.of(8), List.of(-1), List.of(0, 0))) {
            assertThrows(IllegalArgumentException.class, () -> new Order(
                    "shm://a", 1, true, LoadPattern.ofBytes(64), 0, 1_000_000, wrong), wrong::toString);
        }
        for (String wrong : List.of("8", "", "0,", "x", "0,1,2,3")) {
            Fields fields = order("shm://a").fields().put("sl", wrong);
            assertThrows(IllegalArgumentException.class, () -> Order.of(Fields.parse(fields.toString())), wrong);
        }
    }

    @Test
    void aMeasurementEndsWithItsConnection() throws IOException {
        try (ControlClient client = client()) {
            client.prepare(order("shm://a"));
            client.prepare(order("shm://b"));
            assertEquals(1, closed.get(), "the first, in whose place the second is");
        }
        Waits.until("the end", () -> closed.get() == 2);
    }

    @Test
    void anAgentMeasuresForOneAtATime() throws IOException {
        try (ControlClient two = client()) {
            try (ControlClient one = client()) {
                one.prepare(order("shm://a"));
                String why = assertThrows(IOException.class, () -> two.prepare(order("shm://b"))).getMessage();
                assertTrue(why.contains("somebody else"), why);
            }
            Waits.until("its place", () -> {
                try {
                    two.prepare(order("shm://b"));
                    return true;
                } catch (IOException e) {
                    return false;
                }
            });
            assertEquals(1, closed.get());
        }
    }

    @Test
    void whatTheDeviceSaysIsTold() throws IOException {
        try (ControlClient client = client()) {
            String why = assertThrows(IOException.class, () -> client.prepare(order("shm://refuse"))).getMessage();
            assertTrue(why.endsWith("nobody listens there: 100 % sure"), why);
            assertThrows(IOException.class, client::start, "nothing is prepared");
            client.prepare(order("shm://a"));
            client.start();
            assertThrows(IOException.class, client::start, "it has started");
        }
    }

    @Test
    void whoHasAnotherKeyIsHungUpOn() throws IOException {
        ProbeKeys other = ProbeKeys.of(1, "0123456789abcdeg".getBytes(StandardCharsets.US_ASCII));
        try (ControlClient client = ControlClient.connect(HOST, server.port(), other)) {
            String why = assertThrows(IOException.class, client::device).getMessage();
            assertTrue(why.contains("--key-file"), why);
        }
        assertEquals(0, opened.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0", "bytes=1048577", "outstanding=5000", "burst=0", "periodNs=-1", "periodNs=NaN",
        "onNs=0", "qps=65", "qps=x", "loopback=2", "warmUpNs=-1", "durationNs=10", "durationNs=99999999999999999999",
        "to=nothing", "to="})
    void numbersOutOfRangeAreRefusedWithTheirValues(String wrong) {
        String name = wrong.substring(0, wrong.indexOf('='));
        Fields fields = order("shm://a").fields();
        fields.put(name, wrong.substring(wrong.indexOf('=') + 1));
        String why = assertThrows(IllegalArgumentException.class, () -> Order.of(Fields.parse(fields.toString())))
                .getMessage();
        assertTrue(why.contains(name), why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rtt=5.0", "rtt=5-0", "rtt=x", "rtt=5.9223372036854775807", "pairs=-1",
        "loopbackBitsNs=-1", "loopbackBitsNs=NaN", "wire=1,2",
        "stamps=SUNDIAL"})
    void aResultThatMakesNoSenseIsRefused(String wrong) {
        LoadPattern pattern = LoadPattern.ofBytes(1);
        Fields fields = ResultFields.write(result(pattern));
        fields.put(wrong.substring(0, wrong.indexOf('=')), wrong.substring(wrong.indexOf('=') + 1));
        assertThrows(RuntimeException.class, () -> ResultFields.read(Fields.parse(fields.toString()), "x", pattern));
    }

    @Test
    void aLineWithoutEndIsHungUpOn() throws IOException {
        try (Socket socket = new Socket(HOST, server.port())) {
            BufferedReader replies = new BufferedReader(new InputStreamReader(socket.getInputStream(),
                    StandardCharsets.US_ASCII));
            replies.readLine();
            socket.getOutputStream().write((SealedLines.greeting("0".repeat(32)) + "\n").getBytes(
                    StandardCharsets.US_ASCII));
            byte[] junk = new byte[SealedLines.COMMAND_BYTES + 1];
            Arrays.fill(junk, (byte) 'x');
            try {
                socket.getOutputStream().write(junk);
                assertNull(replies.readLine());
            } catch (IOException e) { // the agent had more to read than it did
                assertTrue(e.getMessage() != null);
            }
        }
    }
}
