package org.jvrpc.watch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The limits of time, which are read once a process: in a process of its own. */
class SlowClientTest {

    private static final int LIMIT_S = 50;

    @Test
    void clientsThatNeverFinishTheirRequestsAreCutOffAndHoldNoThread() throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-Dsun.net.httpserver.maxReqTime=1", "-cp",
                System.getProperty("java.class.path"), SlowClientTest.class.getName())
                .redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(LIMIT_S, TimeUnit.SECONDS));
            assertEquals("-1 -1 -1 -1 -1 -1 200", said.lines().reduce((a, b) -> b).orElse(""), said);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Prints what such clients read, more than there are threads, and what one is answered that comes after them. */
    public static void main(String[] args) throws Exception {
        StringBuilder said = new StringBuilder();
        try (WatchServer server = WatchServer.bind(null, 0, List.of())) {
            server.get("/", query -> Body.of(Body.TEXT, new byte[1], Map.of())).start();
            List<Wire> slow = new ArrayList<>();
            for (int i = 0; i < Crowd.THREADS + 2; i++) {
                slow.add(new Wire(server.address()).send("GET / HTTP/1.1\r\nHost: localh"));
            }
            for (Wire wire : slow) {
                said.append(wire.read()).append(' ');
                wire.close();
            }
            System.out.println(said.append(Wire.get(server, "/", "").status()));
        }
    }
}
