package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;

/** What a child process does: {@code mode address}, or {@code mode endpoint qpn} for datagrams. */
final class PeerMain {

    private static final int MOST_LATE = 1000;

    private PeerMain() {
    }

    /** Starts a child that does so. */
    static ChildJvm start(String... arguments) {
        return command(arguments).start();
    }

    /** Starts one by a script that runs {@code "$@"} in its stead. */
    static ChildJvm startBy(String script, String... arguments) {
        return command(arguments).startedBy(List.of("bash", "-c", script, "bash")).start();
    }

    private static JavaCommand command(String... arguments) {
        return JavaCommand.of(PeerMain.class).option("-Xmx128m").arguments(arguments);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Device device = ShmUnderTest.open();
        Parent.say("DEVICE " + device.name());
        switch (args[0]) {
            case "flood" -> flood(device, args[1]);
            case "datagrams" -> datagrams(device, args, 0);
            case "beat" -> datagrams(device, args, 5_000_000);
            case "target" -> target(device);
            case "expect" -> expect(device, args[1]);
            case "reader" -> read(device, args[1]);
            case "sink" -> serve(device, args[1], 64, false);
            case "exclusive sink" -> serve(device, args[1], 64, true);
            case "deaf" -> serve(device, args[1], 0, false);
            case "starved" -> new StarvedListener(device, args[1]).run();
            case "mute" -> {
                device.listen(args[1], device.createChannel());
                Parent.say("LISTENING");
                Parent.idle();
            }
            case "device" -> Parent.idle();
            case "sweep" -> {
                Parent.say("SWEEPING");
                while (true) {
                    ShmDirectory.sweep(ShmDirectory.open());
                }
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Connects and sends 32 bytes that count up, without end, some of them on the way at any time. */
    private static void flood(Device device, String address) {
        ShmEnd end = new ShmEnd(device, 64);
        Connection connection = device.connect(address, end.qp, new byte[0], end.channel, 10_000_000_000L);
        Parent.say("CONNECTED");
        PostSend call = end.qp.prepareSend(SendRequest.send(0, end.sge(0, 32)).signalled());
        WorkCompletion wc = new WorkCompletion();
        long posted = 0;
        long done = 0;
        while (connection.isConnected() && end.qp.state() == QueuePairState.RTS) {
            if (posted - done < 32) {
                long at = 64 * (posted % 32);
                end.mr.buffer(at, 8).putLong(0, posted);
                end.mr.buffer(at + 24, 8).putLong(0, ~posted);
                posted += call.offset(0, 0, at).execute();
            }
            while (end.sendCq.poll(wc)) {
                done++;
            }
            if ((posted & 0xfff) == 0) {
                end.channel.await(0);
            }
        }
        Parent.say("DISCONNECTED");
        Parent.say("STATE " + end.qp.state());
    }

    /** Connects and says without end that a message follows: nothing else can tell that the memory is gone. */
    private static void expect(Device device, String address) {
        ShmEnd end = new ShmEnd(device, 64);
        device.connect(address, end.qp, new byte[0], end.channel, 10_000_000_000L);
        Parent.say("CONNECTED");
        untilItEnds(end, () -> end.qp.expectSends(1));
    }

    /** Compiled code hears of a fault late, behind the call that could catch it, but for one in 256 that asks. */
    private static void untilItEnds(ShmEnd end, Runnable call) {
        for (int late = 0; late < MOST_LATE;) {
            try {
                while (end.qp.state() == QueuePairState.RTS) {
                    call.run();
                }
                break;
            } catch (InternalError e) {
                late++;
            }
        }
        Parent.say("STATE " + end.qp.state());
    }

    /** Connects and reads without end on the spot, whatever key it has, which nothing completes either. */
    private static void read(Device device, String address) {
        ShmEnd end = new ShmEnd(device, 64);
        device.connect(address, end.qp, new byte[0], end.channel, 10_000_000_000L);
        PostSend call = end.qp.prepareSend(SendRequest.read(0, 0, 1 << 8, end.sge(0, 32)));
        ByteBuffer into = ByteBuffer.allocate(32);
        Parent.say("CONNECTED");
        untilItEnds(end, () -> call.read(into, 0, 32));
    }

    /** Sends datagrams of 64 bytes that count up, without end, with a pause after each. */
    private static void datagrams(Device device, String[] args, long pauseNs) {
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(64));
        MemoryRegion mr = pd.allocate(4096, 0);
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).datagram(1));
        qp.init();
        qp.ready();
        Destination there = new Destination(
                pd.createAh(HexFormat.of().parseHex(args[1])), Integer.parseInt(args[2]), ShmEnd.QKEY);
        PostSend call = qp.prepareSend(SendRequest.datagram(0, there, Sge.of(mr, 0, 64)).signalled());
        WorkCompletion wc = new WorkCompletion();
        Parent.say("SENDING");
        mr.buffer(8, 8).putLong(0, ProcessHandle.current().pid());
        for (long n = 0; true; n++) {
            mr.buffer(0, 8).putLong(0, n);
            mr.buffer(56, 8).putLong(0, ~n);
            call.execute();
            while (!cq.poll(wc)) {
                Thread.onSpinWait();
            }
            if (pauseNs > 0) {
                LockSupport.parkNanos(pauseNs);
            }
        }
    }

    /** Makes a datagram QP that others may send to, and says where. */
    private static void target(Device device) throws InterruptedException {
        ShmEnd end = new ShmEnd(device, 4, null, device.createChannel(), with -> with.datagram(ShmEnd.QKEY));
        end.qp.ready();
        end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(0, 64))).execute();
        Parent.say("TARGET " + HexFormat.of().formatHex(end.qp.endpoint()) + " " + end.qp.number());
        Parent.idle();
    }

    /** Accepts whoever comes and counts what arrives; says so every now and then. */
    private static void serve(Device device, String address, int receives, boolean exclusive) {
        EventChannel channel = device.createChannel();
        CompletionQueue cq = exclusive
                ? device.createCq(new CompletionQueueAttributes(256, 64, true, false, channel)) : null;
        Listener listener = device.listen(address, channel);
        Parent.say("LISTENING");
        ShmEnd end = null;
        PostReceive call = null;
        long received = 0;
        WorkCompletion wc = new WorkCompletion();
        while (true) {
            channel.await(end == null ? 1_000_000 : 0);
            ConnectionRequest request = listener.poll();
            if (request != null) {
                end = new ShmEnd(device, Math.max(1, receives), cq, channel);
                call = end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(0, 64)));
                for (int i = 0; i < receives; i++) {
                    call.execute();
                }
                request.accept(end.qp, new byte[0]);
                Parent.say("ACCEPTED");
            }
            while (end != null && end.receiveCq.poll(wc)) {
                if (wc.succeeded()) {
                    call.execute();
                    if (++received % 1000 == 0) {
                        Parent.say("RECEIVED " + received);
                    }
                }
            }
        }
    }
}
