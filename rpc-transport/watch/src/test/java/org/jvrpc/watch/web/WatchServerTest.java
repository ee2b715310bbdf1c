package org.jvrpc.watch.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchServerTest {

    private static final byte[] LONG = "a text that repeats itself, ".repeat(200).getBytes(StandardCharsets.UTF_8);

    private WatchServer server;
    private byte[] taken;

    @BeforeEach
    void start() throws IOException {
        Body body = Body.of(Body.TEXT, LONG, Map.of());
        server = WatchServer.bind(null, 0, List.of("Watch.Example.org"));
        server.get("/long", query -> body).get("/none", query -> null)
                .get("/number", query -> Body.json(Long.toString(query.number("n", 0))))
                .get("/broken", query -> {
                    throw new IllegalStateException("a secret");
                });
        server.post("/report", new Intake() {
            @Override
            public boolean isSealed(byte[] body, String seal) {
                return "right".equals(seal);
            }

            @Override
            public void accept(byte[] body) {
                if (body.length == 0) {
                    throw new IllegalArgumentException("bytes=0");
                }
                taken = body;
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.close();
        server.close();
    }

    private Wire.Answer send(String request) throws IOException {
        try (Wire wire = new Wire(server.address())) {
            return wire.send(request).receive();
        }
    }

    private Wire.Answer post(String headers, byte[] body) throws IOException {
        try (Wire wire = new Wire(server.address())) {
            return wire.send("POST /report HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n").send(body).receive();
        }
    }

    @Test
    void itBindsTheLoopbackAddressUnlessTold() {
        assertEquals("127.0.0.1", server.address().getAddress().getHostAddress());
        assertEquals("http://127.0.0.1:" + server.address().getPort() + "/", server.url());
        assertNotNull(System.getProperty("sun.net.httpserver.maxReqTime"), "clients have all the time that they want");
        assertThrows(IOException.class, () -> WatchServer.bind(null, server.address().getPort(), List.of()));
    }

    @Test
    void itAnswersUnderItsOwnNamesOnly() throws IOException {
        for (String own : List.of("localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]:9", "watch.example.org:1")) {
            assertEquals(200, send("GET /long HTTP/1.1\r\nHost: " + own + "\r\n\r\n").status(), own);
        }
        for (String foreign : List.of("attacker.example", "127.0.0.1.attacker.example", "",
                "localhost.attacker.example:80", "127.0.0.1@attacker.example", "[::1].attacker.example")) {
            Wire.Answer answer = send("GET /long HTTP/1.1\r\nHost: " + foreign + "\r\n\r\n");
            assertEquals(421, answer.status(), foreign);
            assertFalse(answer.text().contains("repeats"), foreign);
        }
        assertEquals(421, send("GET /long HTTP/1.0\r\n\r\n").status(), "no Host");
        assertEquals(421,
                send("GET /long HTTP/1.1\r\nHost: localhost\r\nHost: attacker.example\r\n\r\n").status(), "two");
    }

    @Test
    void eachAnswerLetsPagesLoadNothingFromElsewhere() throws IOException {
        for (String path : List.of("/long", "/nowhere", "/broken")) {
            Wire.Answer answer = Wire.get(server, path, "");
            assertTrue(answer.header("content-security-policy").startsWith("default-src 'none'"), path);
            assertEquals("nosniff", answer.header("x-content-type-options"));
        }
    }

    @Test
    void aBodyThatTheBrowserHasIsNotSentAgain() throws IOException {
        String tag = Wire.get(server, "/long", "").header("etag");
        assertNotNull(tag);
        Wire.Answer again = Wire.get(server, "/long", "If-None-Match: \"other\", " + tag + "\r\n");
        assertEquals(304, again.status());
        assertEquals(0, again.body().length);
        assertEquals(200, Wire.get(server, "/long", "If-None-Match: \"other\"\r\n").status());
        assertEquals(304, Wire.get(server, "/long", "If-None-Match: *\r\n").status());
    }

    @Test
    void aBodyIsCompressedForThoseWhoTakeIt() throws IOException {
        Wire.Answer small = Wire.get(server, "/long", "Accept-Encoding: br, GZIP;q=0.5\r\n");
        assertEquals("gzip", small.header("content-encoding"));
        assertTrue(small.body().length < LONG.length / 5);
        assertArrayEquals(LONG, new GZIPInputStream(new ByteArrayInputStream(small.body())).readAllBytes());
        for (String refusing : List.of("", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip;q=0\r\n")) {
            Wire.Answer plain = Wire.get(server, "/long", refusing);
            assertNull(plain.header("content-encoding"), refusing);
            assertArrayEquals(LONG, plain.body(), refusing);
        }
    }

    @Test
    void wrongQuestionsAreToldWhatIsWrong() throws IOException {
        assertEquals(404, Wire.get(server, "/nowhere", "").status());
        assertEquals(404, Wire.get(server, "/none", "").status());
        Wire.Answer word = Wire.get(server, "/number?n=seven", "");
        assertEquals(400, word.status());
        assertEquals("n=seven is no number\n", word.text());
        assertEquals(400, Wire.get(server, "/number?n=%zz", "").status());
        assertEquals(400, Wire.get(server, "/number?n=1&n=2", "").status());
        assertEquals(400, Wire.get(server, "/number?n=" + "1".repeat(3000), "").status());
        Wire.Answer posted = send("POST /number HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
        assertEquals(405, posted.status());
        assertEquals("GET, HEAD", posted.header("allow"));
    }

    @Test
    void anErrorKeepsItsReasonToTheLog() throws IOException {
        Wire.Answer answer = Wire.get(server, "/broken", "");
        assertEquals(500, answer.status());
        assertFalse(answer.text().contains("secret"));
    }

    @Test
    void aHeadIsSentWithoutItsBody() throws IOException {
        try (Wire wire = new Wire(server.address())) {
            wire.send("HEAD /long HTTP/1.1\r\nHost: localhost\r\n\r\nGET /number HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertEquals(200, wire.receive().status());
            assertEquals("0", wire.receive().text());
        }
    }

    @Test
    void aReportWithARightSealIsTaken() throws IOException {
        assertEquals(204, post("Jvrpc-Seal: right\r\nContent-Length: 3\r\n", new byte[] {1, 2, 3}).status());
        assertArrayEquals(new byte[] {1, 2, 3}, taken);
    }

    @Test
    void aReportWithAWrongSealIsNotLookedAt() throws IOException {
        assertEquals(401, post("Jvrpc-Seal: wrong\r\nContent-Length: 0\r\n", new byte[0]).status());
        assertEquals(401, post("Content-Length: 1\r\n", new byte[1]).status());
        assertNull(taken);
    }

    @Test
    void whatIsNoReportIsToldWhy() throws IOException {
        Wire.Answer answer = post("Jvrpc-Seal: right\r\nContent-Length: 0\r\n", new byte[0]);
        assertEquals(400, answer.status());
        assertEquals("bytes=0\n", answer.text());
        assertEquals(400, post("Content-Length: many\r\n", new byte[0]).status());
    }

    @Test
    void aReportThatIsTooLongIsRefusedWhateverItDeclares() throws IOException {
        assertEquals(204, post("Jvrpc-Seal: right\r\nContent-Length: " + Intake.MOST_BYTES + "\r\n",
                new byte[Intake.MOST_BYTES]).status());
        assertEquals(413, post("Jvrpc-Seal: right\r\nContent-Length: 99999999999\r\n", new byte[0]).status());
        int tooMany = Intake.MOST_BYTES + 1;
        byte[] chunk = (Integer.toHexString(tooMany) + "\r\n" + "x".repeat(tooMany) + "\r\n0\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        assertEquals(413, post("Jvrpc-Seal: right\r\nTransfer-Encoding: chunked\r\n", chunk).status());
    }

    @Test
    void metricsAreReadOnceASecondWhoeverAsks() throws IOException {
        AtomicInteger reads = new AtomicInteger();
        long[] now = {0};
        try (WatchServer own = WatchServer.bind(null, 0, List.of(), () -> now[0])) {
            own.metrics("/metrics", to -> to.counter("reads_total", "Reads.", reads.incrementAndGet())).start();
            for (int i = 0; i < 5; i++) {
                Wire.Answer answer = Wire.get(own, "/metrics", "");
                assertEquals("# HELP reads_total Reads.\n# TYPE reads_total counter\nreads_total 1\n", answer.text());
                assertEquals(PrometheusText.TYPE, answer.header("content-type"));
            }
            now[0] = 1_000_000_000;
            assertTrue(Wire.get(own, "/metrics", "").text().endsWith("reads_total 2\n"));
        }
    }
}
