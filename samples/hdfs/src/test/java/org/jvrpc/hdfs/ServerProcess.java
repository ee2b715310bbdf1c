package org.jvrpc.hdfs;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A NameNode with the plugin in a process of its own. */
final class ServerProcess implements AutoCloseable {

    private static final String READY = "READY ";

    private final Process process;
    private final URI uri;

    /** Starts one and waits until it serves. @param port 0 for any @param format true for a new, empty one */
    ServerProcess(Path folder, int port, boolean format) throws IOException {
        process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), ServerProcess.class.getName(), folder.toString(),
                Integer.toString(port), Boolean.toString(format))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        while (line != null && !line.startsWith(READY)) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException("the NameNode's process ended before it served");
        }
        uri = URI.create(line.substring(READY.length()));
    }

    URI uri() {
        return uri;
    }

    /** Ends it as a crash would, and waits until it is gone. */
    void kill() {
        process.destroyForcibly().onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** Stops it where it is, or lets it go on. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    @Override
    public void close() {
        kill();
    }

    /** Serves until its input ends: {@code FOLDER PORT FORMAT}. */
    public static void main(String[] args) throws IOException {
        Configuration conf = Cluster.conf();
        conf.setInt("dfs.namenode.safemode.extension", 0);
        MiniDFSCluster.Builder builder = new MiniDFSCluster.Builder(conf, new File(args[0]));
        MiniDFSCluster cluster = builder.numDataNodes(0)
                .nameNodePort(Integer.parseInt(args[1]))
                .format(Boolean.parseBoolean(args[2]))
                .build();
        System.out.println(READY + cluster.getURI());
        while (System.in.read() >= 0) {
            continue; // whoever started this ends it
        }
        Runtime.getRuntime().halt(0);
    }
}
