package org.jvrpc.benchmarks.rdma;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.benchmarks.harness.Pinning;
import org.jvrpc.benchmarks.harness.Programs;
import org.jvrpc.benchmarks.report.Summary;

/** One run of a program of perftest, both ends: ib_send_lat and its kin. */
public final class Perftest {

    private static final int LIMIT_S = 60;
    private static final int LISTEN_LIMIT_S = 20;
    private static final int LISTENING = 0x0a;
    /** Columns: size, iterations, least, greatest, typical (the median), mean, deviation, 99 %, 99.9 %. */
    private static final Pattern RESULT =
            Pattern.compile("(?m)^ *\\d+[ \t]+(\\d+)" + "[ \t]+([0-9.]+)".repeat(7) + "[ \t]*$");

    private final Path folder;
    private final Pinning pinning;
    private int port = 18_600;

    /** Runs that keep their output in a folder. */
    public Perftest(Path folder, Pinning pinning) {
        this.folder = folder;
        this.pinning = pinning;
    }

    /** Returns true when a verb's program is installed. */
    public static boolean has(Verb verb) {
        return Programs.find(verb.tool()) != null;
    }

    /** Runs a verb's program so many times over and returns the times of round trips. */
    public Summary run(Verb verb, int iterations) throws IOException {
        port++;
        Path serverLog = folder.resolve(verb.tool() + "-server.log");
        Path clientLog = folder.resolve(verb.tool() + "-client.log");
        Process server = start(serverLog, 0, arguments(verb, Link.SERVER, iterations));
        try {
            awaitListener(server, serverLog);
            List<String> arguments = arguments(verb, Link.CLIENT, iterations);
            arguments.add(Link.SERVER.address());
            Process client = start(clientLog, 1, arguments);
            try {
                if (!client.waitFor(LIMIT_S, TimeUnit.SECONDS) || client.exitValue() != 0) {
                    throw new IOException(verb.tool() + " failed: " + Files.readString(clientLog));
                }
                server.waitFor(2, TimeUnit.SECONDS);
            } finally {
                client.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + verb.tool() + " ran", e);
        } finally {
            server.destroyForcibly();
        }
        return parse(Files.readString(clientLog), verb.parts());
    }

    private List<String> arguments(Verb verb, Link link, int iterations) {
        List<String> arguments = new ArrayList<>(List.of(verb.tool(), "-F", "-d", link.device(), "-x",
                Integer.toString(Link.GID_INDEX), "-n", Integer.toString(iterations), "-p", Integer.toString(port)));
        if (verb.size() > 0) {
            arguments.addAll(List.of("-s", Integer.toString(verb.size())));
        }
        return arguments;
    }

    private Process start(Path log, int processor, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(pinning.prefix(processor));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    /** Its own words come only at its end, as it writes to a file. */
    private void awaitListener(Process server, Path log) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LISTEN_LIMIT_S);
        while (!listens(Files.readString(Path.of("/proc/net/tcp"))) && !listens(Files.readString(
                Path.of("/proc/net/tcp6")))) {
            if (System.nanoTime() > endNs || server.waitFor(5, TimeUnit.MILLISECONDS)) {
                throw new IOException("the server does not listen at port " + port + ": " + Files.readString(log));
            }
        }
    }

    /** Fields of a line: number, local address, remote address, state. Source: proc_net_tcp(5). */
    private boolean listens(String table) {
        return table.lines().skip(1).map(line -> line.trim().split(" +")).anyMatch(fields ->
                fields[1].endsWith(String.format(":%04X", port)) && Integer.parseInt(fields[3], 16) == LISTENING);
    }

    /**
     * Reads the line of results.
     *
     * @param parts how many of the printed times make a round trip
     */
    static Summary parse(String output, int parts) throws IOException {
        Matcher matcher = RESULT.matcher(output);
        if (!matcher.find()) {
            throw new IOException("perftest printed no line of results: " + output);
        }
        return new Summary(ns(matcher.group(4), parts), 0, ns(matcher.group(7), parts), ns(matcher.group(8), parts),
                ns(matcher.group(3), parts), Long.parseLong(matcher.group(1)));
    }

    private static long ns(String us, int parts) {
        return Math.round(Double.parseDouble(us) * 1000 * parts);
    }
}
