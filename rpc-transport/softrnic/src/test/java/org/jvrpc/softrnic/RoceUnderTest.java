package org.jvrpc.softrnic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.DeviceUnderTest;

/** The software RNIC with a port on UDP under the contract. */
public interface RoceUnderTest extends DeviceUnderTest {

    /** Returns an address of the host as it stands in one of the port. */
    default String host() {
        return "127.0.0.1";
    }

    @Override
    default Device openDevice() {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        return Devices.open("roce://" + host() + ":1");
    }

    @Override
    default String address() {
        return "roce://" + host() + ":" + freePort(host());
    }

    /** Returns a UDP port that nobody has. */
    static int freePort(String host) {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getByName(host), 0));
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    default boolean adopts() {
        return true;
    }

    @Override
    default boolean completesLater() {
        return true;
    }

    @Override
    default boolean knowsPeers() {
        return false;
    }
}
