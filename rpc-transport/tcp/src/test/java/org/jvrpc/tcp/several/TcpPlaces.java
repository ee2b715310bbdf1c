package org.jvrpc.tcp.several;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** Ports of this host that are free. */
interface TcpPlaces extends RpcUnderTest {

    @Override
    default String newAddress() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            return "tcp://127.0.0.1:" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
