package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jvrpc.benchmarks.harness.Programs;
import org.jvrpc.samples.kv.KvServer;

/** Starts Debian's memcached and the server of the samples as processes of their own. */
public final class KvServers {

    private static final Pattern PORT = Pattern.compile("serving at 127\\.0\\.0\\.1:([0-9]+)");
    private static final Pattern ADDRESS = Pattern.compile("kv: serving at .*?(shm://\\S+),");
    private static final long START_NS = 10_000_000_000L;
    private static final String HOST = "127.0.0.1";

    private KvServers() {
    }

    /** Returns the path of a program, or null when it is not installed. */
    public static String find(String program) {
        return Programs.find(program);
    }

    /** Returns a TCP port that was free a moment ago. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(HOST, 0));
            return socket.getLocalPort();
        }
    }

    /** Starts memcached at a TCP port, or at a Unix socket. @param place a port's number, or a path */
    static Attended memcached(Path log, String place, List<String> prefix) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        boolean unix = place.startsWith("/");
        command.addAll(List.of(find("memcached"), "-m", "64", unix ? "-s" : "-p", place));
        if (!unix) {
            command.addAll(List.of("-l", HOST));
        }
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-u", "root"));
        }
        Attended server = Attended.start(log, command);
        awaitPort(server, place);
        return server;
    }

    private static void awaitPort(Attended server, String place) throws IOException {
        long endNs = System.nanoTime() + START_NS;
        while (true) {
            try {
                if (place.startsWith("/")) {
                    if (Files.exists(Path.of(place))) {
                        return;
                    }
                } else {
                    new Socket(HOST, Integer.parseInt(place)).close();
                    return;
                }
            } catch (IOException e) {
                if (System.nanoTime() > endNs) {
                    server.close();
                    throw e;
                }
            }
            if (System.nanoTime() > endNs) {
                server.close();
                throw new IOException("memcached does not listen at " + place);
            }
            Attended.pause();
        }
    }

    /** Starts the server of the samples. @param arguments its own; those for the class path are added */
    static Attended sample(Path log, List<String> prefix, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), KvServer.class.getName()));
        command.addAll(arguments);
        return Attended.start(log, command);
    }

    /** Waits until a server of the samples is there. @return its TCP port */
    static int awaitTcp(Attended server) throws IOException {
        return Integer.parseInt(server.await(PORT));
    }

    /** Waits until a server of the samples is there. @return its jvRPC address */
    static String awaitCalls(Attended server) throws IOException {
        return server.await(ADDRESS);
    }
}
