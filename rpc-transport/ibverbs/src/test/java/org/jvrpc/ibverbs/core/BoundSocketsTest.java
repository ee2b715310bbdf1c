package org.jvrpc.ibverbs.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.NativeSocketOptions;

final class BoundSocketsTest {

    private static final int SOL_SOCKET = 1;
    private static final int SO_BROADCAST = 6;

    private static NativeSocketOptions options() {
        return ServiceLoader.load(NativeSocketOptions.class).findFirst().orElseThrow();
    }

    private static DatagramChannel open(ProtocolFamily family, InetSocketAddress at) throws IOException {
        DatagramChannel channel = DatagramChannel.open(family);
        try {
            return channel.bind(at);
        } catch (SocketException e) {
            channel.close();
            return abort("the host has no address " + at);
        }
    }

    private static InetSocketAddress of(DatagramChannel channel) throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    @ParameterizedTest
    @CsvSource({"INET,127.0.0.1", "INET6,::1"})
    void theSocketThatIsBoundThereHasTheOptionAndNoOther(StandardProtocolFamily family, String host) throws Exception {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getByName(host), 0);
        try (DatagramChannel before = open(family, at);
                DatagramChannel channel = open(family, at);
                ServerSocket stream = new ServerSocket(of(channel).getPort(), 1, at.getAddress());
                DatagramChannel behind = open(family, at)) {
            assertTrue(stream.isBound());
            options().set(of(channel), SOL_SOCKET, SO_BROADCAST, 1);
            assertTrue(channel.getOption(StandardSocketOptions.SO_BROADCAST));
            assertEquals(false, before.getOption(StandardSocketOptions.SO_BROADCAST));
            assertEquals(false, behind.getOption(StandardSocketOptions.SO_BROADCAST));
            options().set(of(channel), SOL_SOCKET, SO_BROADCAST, 0);
            assertEquals(false, channel.getOption(StandardSocketOptions.SO_BROADCAST));
        }
    }

    @Test
    void anOptionThatThereIsNotIsRefusedWithItsNumber() throws Exception {
        try (DatagramChannel channel = open(StandardProtocolFamily.INET, new InetSocketAddress("127.0.0.1", 0))) {
            NativeException e = assertThrows(NativeException.class, () -> options().set(of(channel), 0, 9999, 1));
            assertTrue(e.getMessage().contains("option=9999"), e.getMessage());
        }
    }

    @Test
    void anAddressWithoutASocketIsRefusedWithTheAddress() throws Exception {
        InetSocketAddress gone;
        try (DatagramChannel channel = open(StandardProtocolFamily.INET, new InetSocketAddress("127.0.0.1", 0))) {
            gone = of(channel);
        }
        VerbsException e = assertThrows(VerbsException.class, () -> options().set(gone, SOL_SOCKET, SO_BROADCAST, 1));
        assertTrue(e.getMessage().contains("127.0.0.1:" + gone.getPort()), e.getMessage());
    }
}
