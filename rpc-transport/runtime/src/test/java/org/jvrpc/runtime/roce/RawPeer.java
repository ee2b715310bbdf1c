package org.jvrpc.runtime.roce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.Rej;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Req;
import org.jvrpc.roce.cm.message.Rtu;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;

/** A socket that says to a server's QP 1 what a test likes. One thread. */
final class RawPeer implements AutoCloseable {

    private static final int MAD_AT = Bth.BYTES + Deth.BYTES;
    private static final int LENGTH = MAD_AT + Mad.BYTES;
    private static final int QPN = 0x4711;
    private static final int PSN = 0x123456;
    private static final long TID = 0x1122334455667788L;

    private final InetSocketAddress server;
    private final DatagramChannel channel;
    private final InetSocketAddress own;
    private final ByteBuffer in = ByteBuffer.allocate(5000);

    /** @param address of a server, in IPv4 @param host of this peer */
    RawPeer(String address, String host) {
        String[] parts = address.substring("roce://".length()).split(":");
        server = new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
        try {
            channel = DatagramChannel.open().bind(new InetSocketAddress(host, 0));
            channel.configureBlocking(false);
            own = (InetSocketAddress) channel.getLocalAddress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Gid gid(InetSocketAddress of) {
        return Gid.of(of.getAddress().getAddress());
    }

    /** Asks for a connection. @param hello at most 91 bytes */
    void request(int id, byte[] hello) {
        byte[] framed = new byte[hello.length + 1];
        framed[0] = (byte) hello.length;
        System.arraycopy(hello, 0, framed, 1, hello.length);
        send(new ConnectRequest(TID, id, Req.serviceId(server.getPort()), 5, QPN, PSN, 1, 1, 3, 7, 7, 14, false, 1,
                gid(own), gid(server), framed).encode());
    }

    /** Confirms that it got a reply. */
    void confirm(ConnectReply reply) {
        send(Rtu.create(TID, reply.remoteId(), reply.localId()));
    }

    /** Gives up. */
    void refuse(ConnectReply reply) {
        send(Rej.create(TID, reply.remoteId(), reply.localId(), Rej.OF_REP, RejectReason.CONSUMER, new byte[0]));
    }

    private void send(ByteBuffer mad) {
        ByteBuffer packet = ByteBuffer.allocate(LENGTH + Icrc.BYTES);
        Bth.write(packet, 0, Opcode.UD_SEND_ONLY, 0, false, false, 1, 0);
        Deth.write(packet, Bth.BYTES, Mad.QKEY, 1);
        packet.put(MAD_AT, mad, 0, Mad.BYTES);
        Icrc.write(packet, LENGTH, new Icrc(own.getAddress().getAddress(), server.getAddress().getAddress())
                .compute(packet, 0, LENGTH, own.getPort(), server.getPort(), Icrc.DONT_FRAGMENT));
        try {
            channel.send(packet, server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the next message that came and is a reply, or null. @throws AssertionError for a rejection */
    ConnectReply reply() {
        try {
            while (channel.receive(in.clear()) != null) {
                ByteBuffer mad = in.flip().slice(MAD_AT, Mad.BYTES);
                if (Mad.attribute(mad) == Mad.REP) {
                    return ConnectReply.decode(mad);
                }
                if (Mad.attribute(mad) == Mad.REJ) {
                    throw new AssertionError("rejected for reason=" + Rej.reason(mad));
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
