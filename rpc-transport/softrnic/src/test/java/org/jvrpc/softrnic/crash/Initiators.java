package org.jvrpc.softrnic.crash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** Operations of a child that posts sends: {@link #MESSAGES} of a kind, each completed before the next. */
final class Initiators {

    static final int MESSAGES = 3;
    static final int SHORT = 32;
    /** Beyond what a CQE or a WQE holds, in two pieces. */
    static final int LONG = 3000;
    private static final long CONNECT_NS = 30_000_000_000L;

    private Initiators() {
    }

    /** Connects to the parent's listener, whose answer names the address and the rkey of its memory. */
    static ShmEnd connected(Device device, String address, long[] remote) {
        ShmEnd end = new ShmEnd(device, 16);
        byte[] told = device.connect(address, end.qp, new byte[0], end.channel, CONNECT_NS).privateData();
        if (remote.length > 0) {
            ByteBuffer fields = ByteBuffer.wrap(told);
            remote[0] = fields.getLong();
            remote[1] = fields.getInt();
        }
        return end;
    }

    private static void complete(ShmEnd end, PostSend call, WorkCompletion wc) {
        if (call.execute() != 1) {
            throw new IllegalStateException("the queue is full");
        }
        Deadline.until("completion", () -> end.sendCq.poll(wc));
        if (!wc.succeeded()) {
            throw new IllegalStateException(wc.toString());
        }
    }

    static Runnable send(Device device, List<String> peer) {
        ShmEnd end = connected(device, peer.get(0), new long[0]);
        PostSend call = end.qp.prepareSend(SendRequest.send(0, end.sge(0, SHORT)).signalled());
        WorkCompletion wc = new WorkCompletion();
        return () -> {
            for (int i = 0; i < MESSAGES; i++) {
                Message.write(end.mr.buffer(0, SHORT), i);
                complete(end, call, wc);
            }
        };
    }

    static Runnable longSend(Device device, List<String> peer) {
        ShmEnd end = connected(device, peer.get(0), new long[0]);
        PostSend call = end.qp.prepareSend(
                SendRequest.send(0, end.sge(0, LONG / 2), end.sge(LONG / 2, LONG / 2)).signalled());
        WorkCompletion wc = new WorkCompletion();
        return () -> {
            for (int i = 0; i < MESSAGES; i++) {
                Message.write(end.mr.buffer(0, LONG), i);
                complete(end, call, wc);
            }
        };
    }

    static Runnable push(Device device, List<String> peer) {
        return push(device, peer, SHORT);
    }

    static Runnable longPush(Device device, List<String> peer) {
        return push(device, peer, LONG);
    }

    private static Runnable push(Device device, List<String> peer, int length) {
        ShmEnd end = connected(device, peer.get(0), new long[0]);
        int body = length - PostSend.HEADER_BYTES;
        PostSend call = end.qp.prepareSend(
                SendRequest.send(0, end.sge(0, PostSend.HEADER_BYTES), end.sge(PostSend.HEADER_BYTES, body)));
        return () -> {
            for (int i = 0; i < MESSAGES; i++) {
                ByteBuffer message = end.mr.buffer(0, length).order(ByteOrder.LITTLE_ENDIAN);
                Message.write(message, i);
                if (!call.push(message.getLong(0), message.getLong(8), body)) {
                    throw new IllegalStateException("not pushed");
                }
            }
        };
    }

    static Runnable write(Device device, List<String> peer) {
        long[] remote = new long[2];
        ShmEnd end = connected(device, peer.get(0), remote);
        PostSend call = end.qp.prepareSend(SendRequest.writeWithImmediate(
                0, remote[0], (int) remote[1], 7, end.sge(0, LONG)).signalled());
        WorkCompletion wc = new WorkCompletion();
        return () -> {
            for (int i = 0; i < MESSAGES; i++) {
                Message.write(end.mr.buffer(0, LONG), i);
                complete(end, call, wc);
            }
        };
    }

    static Runnable read(Device device, List<String> peer) {
        long[] remote = new long[2];
        ShmEnd end = connected(device, peer.get(0), remote);
        PostSend call = end.qp.prepareSend(
                SendRequest.read(0, remote[0], (int) remote[1], end.sge(0, LONG)).signalled());
        WorkCompletion wc = new WorkCompletion();
        return () -> {
            for (int i = 0; i < MESSAGES; i++) {
                complete(end, call, wc);
                Message.check(end.mr.buffer(0, LONG), Message.TO_BE_READ);
            }
        };
    }

    static Runnable fetchAndAdd(Device device, List<String> peer) {
        long[] remote = new long[2];
        ShmEnd end = connected(device, peer.get(0), remote);
        PostSend call = end.qp.prepareSend(
                SendRequest.fetchAndAdd(0, remote[0], (int) remote[1], 1, end.sge(0, 8)).signalled());
        WorkCompletion wc = new WorkCompletion();
        return () -> {
            for (int i = 0; i < MESSAGES; i++) {
                complete(end, call, wc);
            }
        };
    }

    /** The peer is an endpoint and a QP number. */
    static Runnable datagram(Device device, List<String> peer) {
        ShmEnd end = new ShmEnd(device, 4, null, device.createChannel(), with -> with.datagram(ShmEnd.QKEY));
        end.qp.ready();
        Destination there = new Destination(end.pd.createAh(HexFormat.of().parseHex(peer.get(0))),
                Integer.parseInt(peer.get(1)), ShmEnd.QKEY);
        PostSend call = end.qp.prepareSend(SendRequest.datagram(0, there, end.sge(0, SHORT)).signalled());
        WorkCompletion wc = new WorkCompletion();
        return () -> {
            for (int i = 0; i < MESSAGES; i++) {
                Message.write(end.mr.buffer(0, SHORT), i);
                complete(end, call, wc);
            }
        };
    }
}
