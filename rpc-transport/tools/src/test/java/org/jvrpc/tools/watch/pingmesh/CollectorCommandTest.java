package org.jvrpc.tools.watch.pingmesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.ReportLayout;
import picocli.CommandLine;

/** A collector over HTTP, and agents that are made up. */
class CollectorCommandTest {

    private static final String KEY = "1:00112233445566778899aabbccddeeff\n";
    private static final long WINDOW_NS = 30_000_000_000L;
    private static final Pattern AT = Pattern.compile("collector at (http://\\S+)/,");

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final HttpClient client = HttpClient.newHttpClient();
    private Path key;
    private Thread running;
    private volatile int code = -1;

    @BeforeEach
    void writeKey() throws IOException {
        key = Files.writeString(folder.resolve("key"), KEY);
    }

    @AfterEach
    void end() throws InterruptedException {
        if (running != null) {
            running.interrupt();
            running.join();
        }
    }

    private int run(StringWriter to, Object command, String... arguments) {
        return new CommandLine(command).setOut(new PrintWriter(to, true)).setErr(new PrintWriter(to, true))
                .execute(arguments);
    }

    /** Runs a collector of made-up agents until the test ends, and returns its URL. */
    private String collector(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--simulate", "6", "--port", "0", "--key-file",
                key.toString()));
        arguments.addAll(List.of(more));
        running = new Thread(() -> code = run(out, new CollectorCommand(), arguments.toArray(String[]::new)));
        running.start();
        Until.until("a collector", () -> !running.isAlive() || AT.matcher(out.toString()).find());
        Matcher url = AT.matcher(out.toString());
        assertTrue(url.find(), out::toString);
        return url.group(1);
    }

    private String get(String url) {
        try {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(out.toString(), e);
        }
    }

    private int post(String url, byte[] body) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url + "/report"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofString()).statusCode();
    }

    @Test
    void reportsOfManyAgentsBecomeFiguresOnThePage() throws Exception {
        String url = collector();
        StringWriter told = new StringWriter();
        assertEquals(0, run(told, new SimulateAgentsCommand(), "--to", url, "--key-file", key.toString(), "--agents",
                "6", "--hours", "0.05", "--json"), told::toString);
        assertTrue(told.toString().contains("\"taken\":36,\"refused\":0"), told.toString());
        Until.until("the end of windows", () -> get(url + "/metrics").contains("jvrpc_pingmesh_probes 900"));
        String metrics = get(url + "/metrics");
        assertTrue(metrics.contains("jvrpc_pingmesh_agents 6"), metrics);
        assertTrue(get(url + "/").contains("<html"), "no page");
    }

    @Test
    void aForgedReportIsRefusedAndCounted() throws Exception {
        String url = collector();
        byte[] right = ReportLayout.write(MadeUpAgents.report(MadeUpAgents.list(6), 0, 10, WINDOW_NS),
                new ProbeSeal(ProbeKeys.read(key)));
        byte[] forged = right.clone();
        forged[20] ^= 1;
        assertEquals(401, post(url, forged));
        assertEquals(400, post(url, new byte[100]));
        assertEquals(204, post(url, right));
        assertEquals(400, post(url, right));
        String metrics = get(url + "/metrics");
        assertTrue(metrics.contains("jvrpc_pingmesh_posts_refused_total{reason=\"seal\"} 1"), metrics);
        assertTrue(metrics.contains("jvrpc_pingmesh_reports_refused_total{reason=\"twice\"} 1"), metrics);
    }

    @Test
    void pathsThatCannotBeTakenAreWrongArguments() throws Exception {
        Path bad = Files.writeString(folder.resolve("bad"), "path h0 h20 0 t0 s0 t1\npath h0\n");
        Path fifo = folder.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        Map<Path, String> whys = Map.of(bad, "line 2: 'path FROM TO FLOW HOP...' is wanted", folder, "is a directory",
                fifo, "is no regular file", folder.resolve("none"), "there is no such file");
        whys.forEach((file, why) -> {
            StringWriter told = new StringWriter();
            assertEquals(2, run(told, new CollectorCommand(), "--key-file", key.toString(), "--simulate", "6",
                    "--paths", file.toString()), why);
            assertEquals("--paths " + file + ": " + why, told.toString().lines().findFirst().orElse(""));
        });
    }

    @Test
    void aCollectorThatEndsSaysWhetherSomethingWasFound() throws Exception {
        collector("--seconds", "0.2");
        running.join();
        assertEquals(0, code, out::toString);
    }

    @Test
    void wrongArgumentsAreRefusedWithTheValues() {
        assertEquals(2, run(out, new CollectorCommand(), "--key-file", key.toString()));
        assertTrue(out.toString().contains("--registry or --simulate"), out.toString());
        assertEquals(2, run(out, new CollectorCommand(), "--key-file", key.toString(), "--simulate", "6",
                "--loss-limit", "0"));
        assertEquals(2, run(out, new FabricMeshCommand(), "--hosts", "63"));
        assertEquals(2, run(out, new FabricMeshCommand(), "--failures", "FIRE"));
        assertTrue(out.toString().contains("no failure: FIRE; there are [SWITCH_DROPS_LONG"), out.toString());
    }

    @Test
    void whatCannotBeMeasuredIsSaidInALine() {
        assertEquals(3, run(out, new CollectorCommand(), "--key-file", folder.resolve("none").toString(), "--simulate",
                "6"));
        assertTrue(out.toString().startsWith("could not be measured: "), out.toString());
        StringWriter told = new StringWriter();
        assertEquals(3, run(told, new SimulateAgentsCommand(), "--to", "http://127.0.0.1:1", "--key-file",
                key.toString()));
        assertTrue(told.toString().contains("cannot be reached"), told.toString());
    }

    @Test
    void aFailureInTheFabricIsNamedByTheCommand() {
        assertEquals(0, run(out, new FabricMeshCommand(), "--failures", "TOR_DOWN", "--json"));
        assertTrue(out.toString().contains("\"cause\":\"DOWN\",\"named\":true"), out.toString());
    }
}
