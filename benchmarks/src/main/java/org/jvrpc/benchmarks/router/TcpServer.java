package org.jvrpc.benchmarks.router;

import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.jvrpc.JvrpcServer;

/** A server of calls over TCP, behind {@link NetworkWalls} where these are. */
final class TcpServer implements ServerEnd {

    private JvrpcServer server;

    @Override
    public String start(Path directory, int clients) {
        boolean apart = NetworkWalls.areAround(directory);
        server = new JvrpcServer(null, apart ? "tcp://0.0.0.0:0" : "tcp://127.0.0.1:0", null);
        String address = server.start(directory, clients);
        return apart ? "tcp://" + NetworkWalls.SERVER_HOST + address.substring(address.lastIndexOf(':')) : address;
    }

    @Override
    public void close() {
        server.close();
    }
}
