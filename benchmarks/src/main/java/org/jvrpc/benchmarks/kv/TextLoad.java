package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;

/** The protocol server against Debian's memcached under memcaslap: 9 gets to 1 set, values of 100 bytes. */
public final class TextLoad {

    private static final String LOADER = "memcaslap";
    private static final String PEER = "memcached";
    private static final String OURS = "jvrpc";
    private static final List<Integer> CONNECTIONS = List.of(1, 50);
    private static final Pattern RATE = Pattern.compile("TPS: ([0-9]+)");
    private static final Pattern WRONG = Pattern.compile("(?:get_misses|verify_misses|verify_failed): ([1-9][0-9]*)");

    private final Session session;
    private final int rounds;
    private final int seconds;
    private final Map<String, List<Double>> rates = new LinkedHashMap<>();

    /** Prepares. @param rounds of each server with each number of connections @param seconds of each round */
    public TextLoad(Session session, int rounds, int seconds) {
        this.session = session;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /** Measures, notes figures and prints a table; says by name what is not installed. */
    public void run() throws IOException {
        for (String program : List.of(LOADER, PEER)) {
            if (KvServers.find(program) == null) {
                session.out().println();
                session.out().println("kv-text: left out, " + program + " is not installed");
                return;
            }
        }
        try (Run run = Run.open()) {
            int peerPort = KvServers.freePort();
            Path folder = run.directory();
            try (Attended peer = KvServers.memcached(folder.resolve("memcached.log"), Integer.toString(peerPort),
                    List.of());
                 Attended ours = KvServers.sample(folder.resolve("kv.log"), List.of(),
                         List.of("-p", "0", "-a", "none"))) {
                int ourPort = KvServers.awaitTcp(ours);
                session.progress("kv-text: warming up; memcached is process " + peer.process().pid());
                load(ourPort, CONNECTIONS.get(0));
                load(ourPort, CONNECTIONS.get(1));
                for (int round = 1; round <= rounds; round++) {
                    session.progress("kv-text: round " + round + " of " + rounds);
                    for (int connections : CONNECTIONS) {
                        note(PEER, connections, load(peerPort, connections));
                        note(OURS, connections, load(ourPort, connections));
                    }
                }
            }
        }
        report();
    }

    private void note(String who, int connections, double rate) {
        rates.computeIfAbsent(key(who, connections), key -> new ArrayList<>()).add(rate);
    }

    private static String key(String who, int connections) {
        return who + ' ' + connections;
    }

    private double load(int port, int connections) throws IOException {
        Process process = new ProcessBuilder(KvServers.find(LOADER), "-s", "127.0.0.1:" + port, "-T", "1", "-c",
                Integer.toString(connections), "-t", seconds + "s", "-X", "100", "-w", "1k")
                .redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher rate = RATE.matcher(text);
        if (!rate.find()) {
            throw new IOException(LOADER + " told no rate: " + text);
        }
        Matcher wrong = WRONG.matcher(text);
        if (wrong.find() && !wrong.group().startsWith("get_misses")) {
            throw new IOException(LOADER + " got wrong answers: " + wrong.group());
        }
        return Double.parseDouble(rate.group(1));
    }

    private double median(String who, int connections) {
        return Summary.median(rates.get(key(who, connections)).stream().mapToDouble(Double::doubleValue).toArray());
    }

    private void report() {
        Table table = new Table("connections", OURS, PEER, OURS + " / " + PEER);
        for (int connections : CONNECTIONS) {
            double ours = median(OURS, connections);
            double peer = median(PEER, connections);
            String bench = connections == 1 ? "kv-text" : "kv-text-" + connections;
            session.figures().put(bench, OURS, "ops_per_s", ours);
            session.figures().put(bench, PEER, "ops_per_s", peer);
            session.figures().put(bench, OURS, "memcached_ratio", ours / peer);
            table.add(Integer.toString(connections), Format.rate(ours), Format.rate(peer), Format.ratio(ours / peer));
        }
        session.out().println();
        session.out().println("kv-text: memcached's text protocol over TCP, memcaslap with one thread, 9 gets to 1 set,"
                + " 100 bytes; medians of " + rounds + " rounds");
        session.out().print(table);
    }
}
