package org.jvrpc.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** Packets over the loopback interface under the contract. */
public interface RoceUnderTest extends RpcUnderTest {

    /** Returns an address of the host, as in a URI. */
    default String host() {
        return "127.0.0.1";
    }

    @Override
    default String newAddress() {
        ShmFolder.address(); // the memory of devices is in the test's folder
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getByName(host()), 0));
            return "roce://" + host() + ":" + ((InetSocketAddress) channel.getLocalAddress()).getPort();
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

    /** What two processors move as packets in a second or two. */
    @Override
    default long longestBody() {
        return 64L << 20;
    }
}
