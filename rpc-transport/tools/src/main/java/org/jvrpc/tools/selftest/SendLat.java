package org.jvrpc.tools.selftest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** perftest's {@code ib_send_lat} as server and client on one device, to compare with. Two processes, 20 s at most. */
final class SendLat {

    private static final long LONGEST_S = 20;
    private static final int ROUNDS = 3000;
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\s*" + PingPong.BYTES + "\\s+" + ROUNDS + "\\s+[\\d.]+\\s+[\\d.]+\\s+([\\d.]+)\\s");

    private SendLat() {
    }

    /**
     * Runs it.
     *
     * @param device of this host
     * @param gidIndex of its port
     * @return its typical half round trip in nanoseconds
     * @throws NotProvenException when it is not installed, or does not run
     */
    static long halfRoundTripNs(String device, String gidIndex) {
        String port = Integer.toString(freePort());
        List<String> words = new ArrayList<>(List.of("ib_send_lat", "-F", "-d", device, "-p", port, "-s",
                Integer.toString(PingPong.BYTES), "-n", Integer.toString(ROUNDS)));
        if (gidIndex != null) {
            words.addAll(List.of("-x", gidIndex));
        }
        Path log = null;
        Process server = null;
        try {
            log = Files.createTempFile("ib_send_lat", ".log");
            server = start(words, null);
            words.add("127.0.0.1");
            return parse(client(words, log, server));
        } catch (IOException e) {
            throw new NotProvenException("ib_send_lat cannot be run, install perftest to compare: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotProvenException("interrupted");
        } finally {
            if (server != null) {
                server.destroyForcibly();
            }
            if (log != null) {
                log.toFile().delete();
            }
        }
    }

    /** The server needs some time to listen: the client is started again until it is let in. */
    private static String client(List<String> words, Path log, Process server)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_S);
        String text = "";
        while (System.nanoTime() < end) {
            Process client = start(words, log);
            if (!client.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                client.destroyForcibly();
                throw new NotProvenException("ib_send_lat does not end within " + LONGEST_S + " s");
            }
            text = Files.readString(log, StandardCharsets.UTF_8);
            if (client.exitValue() == 0 || !server.isAlive()) {
                return text;
            }
            server.waitFor(100, TimeUnit.MILLISECONDS);
        }
        return text;
    }

    private static Process start(List<String> words, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile());
        return builder.redirectOutput(log == null ? ProcessBuilder.Redirect.DISCARD
                : ProcessBuilder.Redirect.to(log.toFile())).start();
    }

    /** Returns the column {@code t_typical[usec]} of the table in nanoseconds. */
    static long parse(String text) {
        Matcher matcher = ROW.matcher(text);
        if (!matcher.find()) {
            String[] lines = text.strip().split("\n");
            throw new NotProvenException("ib_send_lat does not run: "
                    + lines[lines.length - 1].strip().toLowerCase(Locale.ROOT));
        }
        return Math.round(Double.parseDouble(matcher.group(1)) * 1000);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new NotProvenException("no free TCP port: " + e.getMessage());
        }
    }
}
