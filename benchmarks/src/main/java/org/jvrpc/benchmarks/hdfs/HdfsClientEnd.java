package org.jvrpc.benchmarks.hdfs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;

/** Hadoop's own DFS client. Workloads are {@code lookup:N}, where N is the place of a {@link Call}. */
public final class HdfsClientEnd implements ClientEnd {

    /** What is called. */
    public enum Call {
        /** Where the blocks of a file of one block are. */
        GET_BLOCK_LOCATIONS,
        /** The status of that file. */
        GET_FILE_INFO,
        /** A folder of a hundred entries. */
        GET_LISTING
    }

    private final boolean plugin;
    private DFSClient client;

    /** @param plugin true for jvRPC, false for Hadoop's own transport */
    public HdfsClientEnd(boolean plugin) {
        this.plugin = plugin;
    }

    @Override
    public void connect(String address, int index) throws IOException {
        client = new DFSClient(URI.create(address), HdfsData.conf(plugin));
    }

    private void call(Call call) throws IOException {
        switch (call) {
            case GET_BLOCK_LOCATIONS -> {
                LocatedBlocks blocks = client.getLocatedBlocks(HdfsData.FILE, 0);
                check(call, blocks.getFileLength(), HdfsData.FILE_BYTES);
            }
            case GET_FILE_INFO -> {
                HdfsFileStatus status = client.getFileInfo(HdfsData.FILE);
                check(call, status.getLen(), HdfsData.FILE_BYTES);
            }
            case GET_LISTING -> {
                DirectoryListing listing = client.listPaths(HdfsData.FOLDER, HdfsFileStatus.EMPTY_NAME);
                check(call, listing.getPartialListing().length, HdfsData.ENTRIES);
            }
            default -> throw new IllegalArgumentException("call=" + call);
        }
    }

    private static void check(Call call, long actual, long expected) {
        if (actual != expected) {
            throw new IllegalStateException(call + " answers " + actual + " where there is " + expected);
        }
    }

    @Override
    public Operation operation(Workload workload) {
        Call call = Call.values()[workload.size()];
        return new Operation() {
            @Override
            public void call() throws IOException {
                HdfsClientEnd.this.call(call);
            }
        };
    }

    /** Calls one by one; the window is the place of the {@link Call}, for a DFS client has one under way. */
    @Override
    public Pipeline pipeline() {
        return (window, endNs) -> {
            Call call = Call.values()[window];
            long calls = 0;
            while (System.nanoTime() < endNs) {
                call(call);
                calls++;
            }
            return calls;
        };
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
