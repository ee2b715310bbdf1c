package org.jvrpc.watch.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.web.WatchServer;

/** Counters that other processes serve. */
class ServedCountersTest {

    private static final String COUNTER = "jvrpc_sent_pkts_total{device=\"d\",port=\"1\"} 3\n";

    private static String read(String url) {
        try (CounterTable table = CounterTable.of(List.of(ServedCounters.from(url)))) {
            return FakeRoot.lines(table.read());
        }
    }

    @Test
    void aProcessServesTheCountersOfItsDevicesAndAnotherReadsThem() throws IOException {
        try (Device device = Devices.open("roce://127.0.0.1:0");
                CounterTable own = CounterTable.of(List.of(new DeviceCounters(device, "roce")));
                WatchServer server = WatchServer.bind(null, 0, List.of())
                        .metrics("/metrics", CounterMetrics.live(own)).start();
                CounterSource served = ServedCounters.from(server.url().replaceAll("/$", ""))) {
            List<Reading> there = served.read();
            List<Reading> here = new DeviceCounters(device, "roce").read();
            assertTrue(here.size() > 10 && there.containsAll(here), () -> here + "\n" + there);
            assertEquals(here.size(), there.size());
            assertEquals("http://127.0.0.1:" + server.address().getPort(), served.origin());
        }
    }

    @Test
    void whatCannotBeReadThereCannotBeReadHere() {
        CounterSource odd = new CounterSource() {
            @Override
            public String origin() {
                return "odd";
            }

            @Override
            public int bits(String name) {
                return 64;
            }

            @Override
            public List<Reading> read() {
                return List.of(Reading.refused("a\"b\\c", 2, "np_cnp_sent", "line\nbreak"),
                        Reading.of("d", 0, "port_rcv_data", 12_345_678_901L, CounterNames.unit("port_rcv_data")));
            }

            @Override
            public void close() {
                // nothing
            }
        };
        try (CounterTable own = CounterTable.of(List.of(odd));
                WatchServer server = WatchServer.bind(null, 0, List.of())
                        .metrics("/metrics", CounterMetrics.live(own)).start()) {
            String read = read(server.url() + "metrics");
            assertTrue(read.contains("d port_rcv_data 12345678901 BYTES of "), read);
            assertTrue(read.startsWith("a\"b\\c/2 np_cnp_sent ? line break of http://127.0.0.1:"
                    + server.address().getPort() + "\n"), read);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void linesThatAreNoCountersArePassedOver() {
        String text = "# HELP jvrpc_a_total x\njvrpc_a_total 3\njvrpc_b_total{device=\"d\"} 3\nother{device=\"d\"} 1\n"
                + "jvrpc_c_total{device=\"d\",port=\"1\"} -4\njvrpc_d_total{device=\"d\",port=\"1\"} 1e400\n"
                + "jvrpc_e_total{port=\"1\",device=\"d\"} 12.0\njvrpc_f_total{device=\"d\",port=\"x\"} 1\n"
                + "jvrpc_g_total{device=\"" + "x".repeat(100_000) + "\",port=\"1\"} 1\n"
                + "jvrpc_h_total{device=\"d\",port=\"1\"} 7 1700000000\n"
                + "jvrpc_i_total{device=\"d\",port=\"1\"} 1e-600000000\n"
                + "jvrpc_j_total{device=\"d\",port=\"1\"} 1.5E+03\n";
        StringBuilder read = new StringBuilder();
        ServedCounters.parse(text).forEach(reading -> read.append(reading.name()).append(' ')
                .append(reading.isReadable() ? Long.toString(reading.value()) : reading.refusal()).append('\n'));
        assertEquals("c no number: -4\nd no number: 1e400\ne 12\nh 7\n"
                + "i no number: 1e-600000000\nj 1500\n", read.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 302, 404, 500})
    void anotherAnswerIsNamed(int status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        try {
            String at = "127.0.0.1:" + server.getAddress().getPort();
            assertEquals(at + " metrics ? status " + status + " of http://" + at + "\n", read("http://" + at));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anAnswerThatNeverEndsIsLeftAfterFourMebibytes() throws IOException {
        byte[] chunk = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (var out = exchange.getResponseBody()) {
                for (int i = 0; i < 1_000; i++) {
                    out.write(chunk);
                }
            } catch (IOException e) {
                return; // it hung up
            }
        });
        server.start();
        try {
            String read = read("http://127.0.0.1:" + server.getAddress().getPort());
            assertTrue(read.contains("more than 4194304 bytes"), read);
        } finally {
            server.stop(0);
        }
    }

    /** Says what it is given, and hangs up. */
    private static String readFrom(String said, int timeoutMs, boolean drips) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answers = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    for (byte next : said.getBytes(StandardCharsets.US_ASCII)) {
                        socket.getOutputStream().write(next);
                        LockSupport.parkNanos(drips ? 1_000_000 : 0);
                    }
                    socket.shutdownOutput();
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    return; // it hung up
                }
            });
            answers.start();
            String url = "http://127.0.0.1:" + server.getLocalPort();
            return FakeRoot.lines(CounterTable.of(List.of(ServedCounters.from(url, timeoutMs))).read())
                    .replace("127.0.0.1:" + server.getLocalPort(), "there");
        }
    }

    /** Each byte comes in time, and the last one would come behind three seconds. */
    @Test
    void aHeaderThatComesByteByByteHasNoMoreTimeThanAnother() throws IOException {
        assertEquals("there metrics ? no answer within 200 ms of http://there\n",
                readFrom("HTTP/1.1 200 OK\r\nX: " + "x".repeat(3_000) + "\r\n\r\n" + COUNTER, 200, true));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"HTTP/1.0 200 OK^^|d/1 sent_pkts 3 COUNT of http://there",
        "HTTP/1.1 200 OK^content-LENGTH: 45 ^^|d/1 sent_pkts 3 COUNT of http://there",
        "HTTP/1.1 200 OK^Content-Length: 470^^|there metrics ? 45 of 470 bytes of http://there",
        "HTTP/1.1 200 OK^Transfer-Encoding: chunked^^|there metrics ? encoded, and nobody asked for it of http://there",
        "HTTP/1.1 200 OK^|there metrics ? no answer by HTTP of http://there",
        "SSH-2.0-OpenSSH^^|there metrics ? no answer by HTTP of http://there"})
    void answersAreReadAsTheirHeadersSay(String head, String expected) throws IOException {
        assertEquals(expected + "\n", readFrom(head.replace("^", "\r\n") + COUNTER, 60_000, false));
    }

    @Test
    void aProcessThatIsGoneIsNamed() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertTrue(read("http://127.0.0.1:" + port).startsWith("127.0.0.1:" + port
                + " metrics ? nobody listens there: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "https://a/", "file:///etc/passwd", "http:///x", "http://a b/", "ftp://a",
        "http://a:65536/"})
    void whatIsNoUrlIsRefused(String url) {
        assertThrows(IllegalArgumentException.class, () -> ServedCounters.from(url));
    }
}
