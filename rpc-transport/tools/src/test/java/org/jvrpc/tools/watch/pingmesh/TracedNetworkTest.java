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
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.ReportLayout;
import org.jvrpc.watch.report.Tally;
import picocli.CommandLine;

/** A made-up network of three racks below four spines, whose ways stand in a file: who is blamed by the collector. */
class TracedNetworkTest {

    private static final int HOSTS = 60;
    private static final int PER_RACK = 20;
    private static final int FLOWS = 4;
    private static final int TARGETS = 40;
    private static final long WINDOW_NS = 30_000_000_000L;
    private static final long FIRST = 100;
    private static final long SEED = 41;
    private static final double SHARE = 0.05;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final HttpClient client = HttpClient.newHttpClient();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private Thread running;

    @AfterEach
    void end() throws InterruptedException {
        if (running != null) {
            running.interrupt();
            running.join();
        }
    }

    /** Switches as a traceroute to there shows them: by the address at which the packet came in. */
    private static List<String> hops(int from, int to, int flow) {
        int here = from / PER_RACK;
        int there = to / PER_RACK;
        int spine = Math.floorMod((from * 31 + to * 17 + flow * 7) * 0x9e3779b9 >>> 8, 4);
        return here == there ? List.of("10.1.0." + here)
                : List.of("10.1.0." + here, "10.2." + spine + "." + here, "10.1." + (spine + 1) + "." + there);
    }

    /** Switches are told by name, whatever address answers. */
    private List<String> file() {
        List<String> lines = new ArrayList<>();
        for (int rack = 0; rack < HOSTS / PER_RACK; rack++) {
            StringBuilder tor = new StringBuilder("switch tor-" + rack);
            for (int port = 0; port <= 4; port++) {
                tor.append(" 10.1.").append(port).append('.').append(rack);
            }
            lines.add(tor.toString());
        }
        for (int spine = 0; spine < 4; spine++) {
            lines.add("switch spine-" + spine + " 10.2." + spine + ".0 10.2." + spine + ".1 10.2." + spine + ".2");
        }
        for (int from = 0; from < HOSTS; from++) {
            for (int to = 0; to < HOSTS; to++) {
                for (int flow = 0; flow < FLOWS && from != to; flow++) {
                    lines.add("path h" + from + " h" + to + " " + flow + " " + String.join(" ", hops(from, to, flow)));
                }
            }
        }
        return lines;
    }

    private boolean passes(int from, int to, int flow) {
        List<String> hops = hops(from, to, flow);
        boolean crosses = hops.size() > 1 && hops.get(0).equals("10.1.0.2") && hops.get(1).startsWith("10.2.1.");
        return !crosses || random.nextDouble() >= SHARE;
    }

    private Report report(List<AgentInfo> agents, int from, long window) {
        List<Tally> tallies = new ArrayList<>();
        for (int i = 0; i < TARGETS; i++) {
            int to = (from + 1 + random.nextInt(HOSTS - 1)) % HOSTS;
            int flow = random.nextInt(FLOWS);
            boolean there = passes(from, to, flow);
            boolean back = there && passes(to, from, flow);
            tallies.add(new Tally(to, flow, 1, 0, 1, there ? 0 : 1, there && !back ? 1 : 0, 0, 0, 0,
                    back ? 9_000 : 0, back ? 9_000 : 0, back ? 900 : 0, back ? 900 : 0));
        }
        return new Report(agents.get(from), window, WINDOW_NS, 0, 0, 0, 0, tallies, List.of());
    }

    private String collector(Path key, Path paths) throws InterruptedException {
        running = new Thread(() -> new CommandLine(new CollectorCommand()).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true)).execute("--simulate", "" + HOSTS, "--port", "0", "--key-file",
                key.toString(), "--paths", paths.toString()));
        running.start();
        while (running.isAlive()) {
            Matcher url = Pattern.compile("collector at (http://\\S+)/,").matcher(out.toString());
            if (url.find()) {
                return url.group(1);
            }
            Thread.onSpinWait();
        }
        throw new IllegalStateException(out.toString());
    }

    private String get(String url) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString()).body();
    }

    @Test
    void theCollectorNamesTheLinkThatDrops() throws Exception {
        Path key = Files.writeString(folder.resolve("key"), "1:00112233445566778899aabbccddeeff\n");
        Path paths = Files.write(folder.resolve("paths"), file());
        String url = collector(key, paths);
        List<AgentInfo> agents = MadeUpAgents.list(HOSTS);
        ProbeSeal seal = new ProbeSeal(ProbeKeys.read(key));
        for (long window = FIRST; window < FIRST + 4; window++) {
            for (int from = 0; from < HOSTS; from++) {
                assertEquals(204, client.send(HttpRequest.newBuilder(URI.create(url + "/report"))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(ReportLayout.write(report(agents, from, window),
                                seal))).build(), BodyHandlers.ofString()).statusCode());
            }
        }
        String metrics = get(url + "/metrics");
        while (!metrics.contains("jvrpc_pingmesh_blamed{")) { // windows end by a look now and then
            assertTrue(running.isAlive(), out.toString());
            metrics = get(url + "/metrics");
        }
        List<String> blamed = metrics.lines().filter(line -> line.startsWith("jvrpc_pingmesh_blamed{")).toList();
        assertEquals(1, blamed.size(), metrics);
        assertTrue(blamed.get(0).contains("kind=\"LINK\",who=\"tor-2>spine-1\",cause=\"DROPS\""), blamed.toString());
        assertTrue(metrics.contains("jvrpc_pingmesh_paths " + HOSTS * (HOSTS - 1) * FLOWS), metrics);
        assertTrue(metrics.contains("jvrpc_pingmesh_paths_known_ratio 1"), metrics);
    }
}
