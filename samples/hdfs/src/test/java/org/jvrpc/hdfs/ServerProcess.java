package org.jvrpc.hdfs;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;

/** A NameNode with the plugin in a process of its own. */
public final class ServerProcess implements AutoCloseable {

    private static final String READY = "READY ";

    private final ChildJvm process;
    private final URI uri;

    /** Starts one and waits until it serves. @param port 0 for any @param format true for a new, empty one */
    ServerProcess(Path folder, int port, boolean format) {
        this(folder, port, format, HdfsSettings.ADDRESS_DEFAULT);
    }

    /** Starts one that serves at jvRPC addresses of the test's. */
    public ServerProcess(Path folder, int port, boolean format, String address) {
        process = JavaCommand.of(ServerProcess.class)
                .arguments(folder.toString(), Integer.toString(port), Boolean.toString(format), address).start();
        uri = URI.create(process.expect(READY));
    }

    public URI uri() {
        return uri;
    }

    /** Ends it as a crash would, and waits until it is gone. */
    public void kill() {
        process.kill();
    }

    /** Stops it where it is. */
    void stop() {
        process.stop();
    }

    /** Lets it go on. */
    void resume() {
        process.resume();
    }

    @Override
    public void close() {
        process.close();
    }

    /** Serves until its parent ends it: {@code FOLDER PORT FORMAT ADDRESS}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Configuration conf = Cluster.conf();
        conf.setInt("dfs.namenode.safemode.extension", 0);
        conf.set(HdfsSettings.ADDRESS, args[3]);
        MiniDFSCluster.Builder builder = new MiniDFSCluster.Builder(conf, new File(args[0]));
        MiniDFSCluster cluster = builder.numDataNodes(0)
                .nameNodePort(Integer.parseInt(args[1]))
                .format(Boolean.parseBoolean(args[2]))
                .build();
        Parent.say(READY + cluster.getURI());
        Parent.idle();
    }
}
