package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** Debian's memcached; where it is not installed, the samples' server by the same protocol. */
public final class MemcachedServer implements ServerEnd {

    private final boolean unix;
    private Attended server;

    /** A server. @param unix true for a Unix-domain socket */
    public MemcachedServer(boolean unix) {
        this.unix = unix;
    }

    @Override
    public String start(Path directory, int clients) throws IOException {
        Path log = directory.resolve("server.log");
        String socket = directory.resolve("memcached").toString();
        if (KvServers.find("memcached") == null) {
            server = KvServers.sample(log, List.of(),
                    unix ? List.of("-p", "0", "-a", "none", "-s", socket) : List.of("-p", "0", "-a", "none"));
            int port = KvServers.awaitTcp(server);
            return unix ? socket : Integer.toString(port);
        }
        String place = unix ? socket : Integer.toString(KvServers.freePort());
        server = KvServers.memcached(log, place, List.of());
        return place;
    }

    @Override
    public void close() {
        server.close();
    }
}
