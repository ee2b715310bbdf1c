package org.jvrpc.softrnic.roce;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jvrpc.roce.cm.CmConnection;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.softrnic.roce.socket.NodeSocket;
import org.jvrpc.verbs.VerbsException;

/**
 * What a peer must know to reach a QP without a connection manager.
 *
 * <pre>
 * 0 version:8 | 1 address length:8 | 2 UDP port:16 | 4 QPN:32 | 8 PSN of its first packet:32 | 12 MTU:16 | 14 address
 * </pre>
 *
 * @param address where the device's packets come from and go to
 * @param mtu payload that its packets may have: 256 to 4096, a power of two
 */
record RoceEndpoint(InetSocketAddress address, int qpn, int psn, int mtu) {

    private static final byte VERSION = 1;
    private static final int HEAD = 14;
    private static final int MOST_QPN = 0xffffff;

    /** Returns what a connection manager agreed on with a peer. */
    static RoceEndpoint of(CmConnection connection, int qpn, int psn, int mtu) {
        return new RoceEndpoint(ManagementPort.addressOf(connection.peer()), qpn, psn, mtu);
    }

    /** Returns the bytes of an MTU's code, 1 to 5. */
    static int mtu(int code) {
        return 128 << code;
    }

    /** Returns the code of an MTU. */
    static int mtuCode(int mtu) {
        return Integer.numberOfTrailingZeros(mtu) - 7;
    }

    private static boolean isMtu(int mtu) {
        return Integer.bitCount(mtu) == 1 && mtu >= NodeSocket.LEAST_MTU && mtu <= NodeSocket.MOST_MTU;
    }

    byte[] encode() {
        byte[] host = address.getAddress().getAddress();
        return ByteBuffer.allocate(HEAD + host.length).put(VERSION).put((byte) host.length)
                .putShort((short) address.getPort()).putInt(qpn).putInt(psn).putShort((short) mtu).put(host).array();
    }

    static RoceEndpoint decode(byte[] bytes) {
        return decode("modify_qp", bytes);
    }

    /** @throws VerbsException for bytes that are none */
    static RoceEndpoint decode(String operation, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < HEAD || in.get() != VERSION || in.get() != bytes.length - HEAD) {
            throw new VerbsException(operation, "no endpoint of a roce device, bytes=" + bytes.length);
        }
        int port = in.getShort() & 0xffff;
        int qpn = in.getInt();
        int psn = in.getInt();
        int mtu = in.getShort();
        byte[] host = new byte[bytes.length - HEAD];
        in.get(host);
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(host), port);
            if (port == 0 || qpn < 2 || qpn > MOST_QPN || psn < 0 || psn > Psn.MASK || !isMtu(mtu)) {
                throw new VerbsException(operation, "endpoint address=" + address + " qpn=" + qpn + " psn=" + psn
                        + " mtu=" + mtu);
            }
            return new RoceEndpoint(address, qpn, psn, mtu);
        } catch (UnknownHostException e) {
            throw new VerbsException(operation, "endpoint has an address of bytes=" + host.length);
        }
    }
}
