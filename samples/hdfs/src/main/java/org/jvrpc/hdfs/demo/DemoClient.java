package org.jvrpc.hdfs.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Hadoop's own client: {@code URI ENGINE-CLASS}. For each line of input, the place of a call and how many, prints the
 * median of the times that it took, in nanoseconds.
 */
public final class DemoClient {

    /** What is called, in the order of the table. */
    static final String[] CALLS = {"getBlockLocations", "getFileInfo", "getListing (100 entries)"};

    private DemoClient() {
    }

    /** Calls until its input ends. */
    public static void main(String[] args) throws IOException {
        Configuration conf = new HdfsConfiguration();
        conf.set(Demo.ENGINE, args[1]);
        conf.setBoolean("jvrpc.hdfs.fallback", false); // what is shown is never the other transport
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (DFSClient client = new DFSClient(URI.create(args[0]), conf)) {
            System.out.println(DemoNode.READY);
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] words = line.split(" ");
                System.out.println(medianNs(client, Integer.parseInt(words[0]), Integer.parseInt(words[1])));
            }
        }
    }

    private static long medianNs(DFSClient client, int call, int count) throws IOException {
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            long begunNs = System.nanoTime();
            call(client, call);
            times[i] = System.nanoTime() - begunNs;
        }
        Arrays.sort(times);
        return times[count / 2];
    }

    private static void call(DFSClient client, int call) throws IOException {
        switch (call) {
            case 0 -> client.getLocatedBlocks(DemoNode.FILE, 0);
            case 1 -> client.getFileInfo(DemoNode.FILE);
            default -> client.listPaths(DemoNode.FOLDER, HdfsFileStatus.EMPTY_NAME);
        }
    }
}
