package org.jvrpc.tools.watch.pingmesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.ReportLayout;

/** Reports on their way to a collector that is slow, gone or of another mind. */
class ReportPostTest {

    private static final int LIMIT_MS = (int) (Until.LIMIT_NS / 1_000_000);
    private static final ProbeKeys KEYS = ProbeKeys.of(1, new byte[16]);

    private final List<Long> arrived = new CopyOnWriteArrayList<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private final ProbeSeal collectors = new ProbeSeal(KEYS);
    private HttpServer server;
    private volatile int answer = 204;

    private static Report report(long window) {
        return new Report(new AgentInfo(1, "h1", "r", "p", new byte[1], 1, 1), window, 1_000_000_000, 0, 0, 0, 0,
                List.of(), List.of());
    }

    private int listen(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/report", exchange -> {
            Report read = ReportLayout.read(exchange.getRequestBody().readAllBytes(), collectors);
            arrived.add(read.window()); // before its sender knows
            byte[] said = "no thanks\n".getBytes();
            int code = answer;
            exchange.sendResponseHeaders(code, code == 204 ? -1 : said.length);
            if (code != 204) {
                exchange.getResponseBody().write(said);
            }
            exchange.close();
        });
        server.start();
        return server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    private ReportPost post(int port) {
        return new ReportPost("http://127.0.0.1:" + port, new ProbeSeal(KEYS), why -> troubles.add("" + why));
    }

    @Test
    void reportsArriveInOrder() throws IOException {
        try (ReportPost post = post(listen(0))) {
            for (long window = 0; window < 10; window++) {
                post.accept(report(window));
            }
            Until.until("all", () -> post.taken() == 10);
        }
        assertEquals(LongStream.range(0, 10).boxed().toList(), arrived);
        assertEquals(List.of(), troubles);
    }

    @Test
    void theNewestReportsWaitForACollectorThatIsGone() throws IOException {
        int count = ReportPost.MOST_WAITING + 8;
        try (Socket place = new Socket()) { // is not listened at, and nobody else gets it
            place.setReuseAddress(true);
            place.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            theNewestReportsWait(place.getLocalPort(), count);
        }
        assertEquals(LongStream.range(8, count).boxed().toList(), arrived);
        assertEquals("null", troubles.get(1));
    }

    private void theNewestReportsWait(int port, int count) throws IOException {
        try (ReportPost post = post(port)) {
            for (long window = 0; window < count; window++) {
                post.accept(report(window));
            }
            Until.until("trouble", () -> troubles.size() == 1);
            assertTrue(troubles.get(0).contains("cannot be reached"), troubles::toString);
            assertEquals(8, post.dropped());
            listen(port);
            Until.until("all that waited", () -> post.taken() == ReportPost.MOST_WAITING);
            Until.until("the end of it", () -> troubles.size() == 2);
        }
    }

    @Test
    void aReportThatTheCollectorRefusesIsNotGivenAgain() throws IOException {
        answer = 403;
        try (ReportPost post = post(listen(0))) {
            post.accept(report(1));
            Until.until("a refusal", () -> troubles.size() == 1);
            assertTrue(troubles.get(0).endsWith("answers 403: no thanks"), troubles::toString);
            answer = 204;
            post.accept(report(2));
            Until.until("the next one", () -> post.taken() == 1);
        }
        assertEquals(List.of(1L, 2L), arrived);
    }

    @Test
    void aCollectorThatIsOverloadedIsAskedAgain() throws IOException {
        answer = 503;
        try (ReportPost post = post(listen(0))) {
            post.accept(report(1));
            Until.until("a refusal", () -> troubles.size() == 1);
            answer = 204;
            Until.until("the same one", () -> post.taken() == 1);
        }
        assertTrue(arrived.size() >= 2 && arrived.stream().allMatch(window -> window == 1), arrived::toString);
    }

    @Test
    void aCollectorThatDoesNotAnswerHoldsNobodyUp() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ReportPost post = post(mute.getLocalPort());
            for (long window = 0; window < 100; window++) {
                post.accept(report(window));
            }
            post.close();
            assertTrue(post.dropped() >= 100 - ReportPost.MOST_WAITING - 1, "dropped " + post.dropped());
        }
    }

    @Test
    void aCollectorWhoseAnswerStallsIsLeftAndAskedAgain() throws IOException {
        try (ServerSocket stalls = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ReportPost post = new ReportPost("http://127.0.0.1:" + stalls.getLocalPort(), new ProbeSeal(KEYS),
                        why -> troubles.add("" + why), Duration.ofMillis(200))) {
            stalls.setSoTimeout(LIMIT_MS);
            post.accept(report(1));
            for (int i = 0; i < 2; i++) {
                try (Socket asked = stalls.accept()) {
                    asked.setSoTimeout(LIMIT_MS);
                    asked.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".getBytes());
                    asked.getInputStream().readAllBytes(); // until it is left
                } catch (SocketException e) {
                    continue; // which is how it was left
                }
            }
            assertTrue(troubles.get(0).endsWith("has not answered within 200 ms"), troubles::toString);
            assertEquals(0, post.taken());
        }
    }

    @Test
    void aRefusalWithoutEndIsCutOff() throws IOException {
        try (ServerSocket talks = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ReportPost post = post(talks.getLocalPort())) {
            talks.setSoTimeout(LIMIT_MS);
            post.accept(report(1));
            try (Socket asked = talks.accept()) {
                asked.getOutputStream().write("HTTP/1.1 403 No\r\n\r\n".getBytes());
                while (troubles.isEmpty()) {
                    asked.getOutputStream().write("no and ".repeat(100).getBytes());
                }
            } catch (SocketException e) {
                Until.until("trouble", () -> !troubles.isEmpty());
            }
            assertTrue(troubles.get(0).contains("answers 403: no and no") && troubles.get(0).length() < 300,
                    troubles::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://x:1", "10.0.0.1:9099", "http:/x", "http://", "x y"})
    void whatIsNoCollectorIsRefused(String url) {
        assertThrows(IllegalArgumentException.class, () -> new ReportPost(url, new ProbeSeal(KEYS), why -> { }));
    }
}
