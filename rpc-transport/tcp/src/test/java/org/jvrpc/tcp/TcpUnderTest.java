package org.jvrpc.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** Streams over the loopback interface under the contract. */
public interface TcpUnderTest extends RpcUnderTest {

    @Override
    default String newAddress() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            return "tcp://127.0.0.1:" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    default String clientHost() {
        return "127.0.0.1";
    }

    @Override
    default int slower() {
        return 4;
    }

    /** What two processors move in a second or two. */
    @Override
    default long longestBody() {
        return 256L << 20;
    }
}
