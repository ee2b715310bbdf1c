package org.apache.zookeeper;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.samples.zookeeper.JvrpcAddress;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.VerbsException;

/** Finds the server at a ZooKeeper address by the addresses of jvRPC that it may have. */
final class ServerSearch {

    /** How long connecting may take: as long as the kernel's connect of a socket may block the SendThread otherwise. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private ServerSearch() {
    }

    /**
     * Connects.
     *
     * @throws ConnectException when there is no server, it refuses, or jvRPC's address does not reach its host
     * @throws UnknownHostException when nobody knows its host
     */
    static MessageClient connect(String template, InetSocketAddress server, MessageHandler handler)
            throws IOException {
        ConnectException failure = null;
        for (String target : JvrpcAddress.ofClient(template, server)) {
            try {
                return MessageClient.builder(target, handler).timeout(TIMEOUT).connect();
            } catch (VerbsException | RpcException e) {
                failure = new ConnectException(target + " for " + server + ": " + e.getMessage());
                failure.initCause(e);
                if (!(e instanceof ConnectionException none && none.reason() == Reason.UNREACHABLE)) {
                    break; // the server is there
                }
            }
        }
        throw failure;
    }
}
