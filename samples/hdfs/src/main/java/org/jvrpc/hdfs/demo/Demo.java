package org.jvrpc.hdfs.demo;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts a NameNode with a DataNode and two clients, lets the clients call in turns, and prints what a call takes over
 * jvRPC and over Hadoop's own transport.
 */
public final class Demo {

    static final String ENGINE = "rpc.engine.org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB";
    static final String PLUGIN = "org.jvrpc.hdfs.JvrpcRpcEngine";

    private static final String STOCK = "org.apache.hadoop.ipc.ProtobufRpcEngine2";
    private static final int WARM_UP_CALLS = 6000;
    private static final int ROUNDS = 5;
    private static final int CALLS = 1000;

    private Demo() {
    }

    /** A process that answers lines. */
    private static final class Child implements AutoCloseable {

        private final Process process;
        private final Path log;
        private final BufferedReader answers;
        private final Writer commands;

        Child(Class<?> main, Path log, String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Dlog4j.configuration=org/jvrpc/hdfs/demo/log4j.properties", main.getName()));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
            builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
            this.log = log;
            process = builder.start();
            answers = process.inputReader();
            commands = process.outputWriter();
        }

        /** Returns what follows {@code READY} once the process prints it. */
        String awaitReady() throws IOException {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.startsWith(DemoNode.READY)) {
                    return line.substring(DemoNode.READY.length());
                }
            }
            throw ended();
        }

        private IOException ended() throws IOException {
            return new IOException("a process of the demonstration ended; it wrote:\n" + Files.readString(log));
        }

        long ask(int call, int count) throws IOException {
            commands.write(call + " " + count + '\n');
            commands.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw ended();
            }
            return Long.parseLong(answer);
        }

        @Override
        public void close() throws IOException {
            commands.close();
            try {
                if (!process.waitFor(5, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("jvrpc-hdfs-demo");
        try (Child node = new Child(DemoNode.class, folder.resolve("log"), folder.resolve("node").toString())) {
            System.out.println("Starting a NameNode and a DataNode ...");
            String uri = node.awaitReady();
            System.out.println("They serve at " + uri + ", and the NameNode at shm://hdfs-"
                    + uri.substring(uri.lastIndexOf(':') + 1) + " too.");
            try (Child jvrpc = new Child(DemoClient.class, folder.resolve("jvrpc"), uri, PLUGIN);
                 Child stock = new Child(DemoClient.class, folder.resolve("stock"), uri, STOCK)) {
                jvrpc.awaitReady();
                stock.awaitReady();
                System.out.println("Hadoop's own client calls it over both transports, warming up ...");
                compare(jvrpc, stock);
            }
        } finally {
            delete(folder.toFile());
        }
    }

    private static void compare(Child jvrpc, Child stock) throws IOException {
        for (int call = 0; call < DemoClient.CALLS.length; call++) {
            jvrpc.ask(call, WARM_UP_CALLS);
            stock.ask(call, WARM_UP_CALLS / 2);
        }
        System.out.println();
        System.out.printf(Locale.ROOT, "%-26s %12s %12s %8s%n", "median of a call", "Hadoop's own", "jvRPC", "times");
        for (int call = 0; call < DemoClient.CALLS.length; call++) {
            long[] ours = new long[ROUNDS];
            long[] theirs = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                ours[round] = jvrpc.ask(call, CALLS);
                theirs[round] = stock.ask(call, CALLS);
            }
            double own = median(ours) / 1000.0;
            double other = median(theirs) / 1000.0;
            System.out.printf(Locale.ROOT, "%-26s %9.1f us %9.1f us %8.1f%n", DemoClient.CALLS[call], other, own,
                    other / own);
        }
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void delete(File folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder.toPath())) {
            all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
