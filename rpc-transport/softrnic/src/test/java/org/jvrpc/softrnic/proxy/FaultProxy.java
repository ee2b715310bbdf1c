package org.jvrpc.softrnic.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.softrnic.proxy.FaultSchedule.Fate;

/**
 * Stands between two RoCE peers at an address of its own: each takes it for the other. It has one socket, at the UDP
 * port that both peers have ({@code ?udp=PORT}); what comes from the one's address goes to the other's, with the ICRC
 * of that way, as an ICRC covers addresses and ports. What came with a wrong ICRC, or from elsewhere, is dropped and
 * counted. Packets of connection management (QP 1) pass, REQs with the addresses of that way; the others, numbered in
 * each direction, have their fates.
 */
public final class FaultProxy implements AutoCloseable {

    private static final int MOST_PACKET = 9000;
    private static final int MANAGEMENT_QPN = 1;
    private static final int CONGESTION = 4;

    /** A packet that others overtake. */
    private static final class Late {

        private final ByteBuffer bytes;
        private int overtaking;

        Late(ByteBuffer bytes, int overtaking) {
            this.bytes = bytes;
            this.overtaking = overtaking;
        }
    }

    /** From one peer to the other. */
    private final class Way {

        private final int number;
        private final InetAddress from;
        private final InetSocketAddress to;
        private final Icrc incoming;
        private final Icrc outgoing;
        private final ArrayDeque<Late> late = new ArrayDeque<>();
        private long packets;

        Way(int number, InetAddress from, InetAddress to) {
            this.number = number;
            this.from = from;
            this.to = new InetSocketAddress(to, here.getPort());
            incoming = new Icrc(from.getAddress(), here.getAddress().getAddress());
            outgoing = new Icrc(here.getAddress().getAddress(), to.getAddress());
        }

        void pass(InetSocketAddress sender, int length) throws IOException {
            int end = length - Icrc.BYTES;
            if (packet.parse(in, 0, end) != Packet.Verdict.OK || !isWhole(sender, end)) {
                drop();
                return;
            }
            boolean management = packet.qpn() == MANAGEMENT_QPN && packet.length() == Mad.BYTES;
            if (management && Mad.attribute(in.slice(packet.payload(), Mad.BYTES)) == Mad.REQ) {
                readdress();
            }
            Icrc.write(in, end, outgoing.compute(in, 0, end, here.getPort(), here.getPort(), Icrc.DONT_FRAGMENT));
            in.limit(length).position(0);
            if (packet.qpn() == MANAGEMENT_QPN) {
                channel.send(in, to);
                return;
            }
            long of = packets++;
            Fate fate = schedule.fate(number, of);
            befell.incrementAndGet(fate.ordinal());
            befall(fate, of, length);
            overtake();
        }

        /** A REQ names both hosts, twice, and is refused where they are not those of its packet. */
        private void readdress() {
            byte[] sender = from.getAddress();
            byte[] mine = here.getAddress().getAddress();
            byte[] receiver = to.getAddress().getAddress();
            int end = packet.payload() + packet.length() - sender.length;
            for (int at = packet.payload(); at <= end;) {
                ByteBuffer there = in.slice(at, sender.length);
                byte[] instead = there.equals(ByteBuffer.wrap(sender)) ? mine
                        : there.equals(ByteBuffer.wrap(mine)) ? receiver : null;
                if (instead != null) {
                    in.put(at, instead);
                }
                at += instead != null ? instead.length : 1;
            }
        }

        private boolean isWhole(InetSocketAddress sender, int end) {
            int computed = incoming.compute(in, 0, end, sender.getPort(), here.getPort(), Icrc.DONT_FRAGMENT);
            int received = Icrc.read(in, end);
            return computed == received
                    || from.getAddress().length == 4 && Icrc.identification(computed, received, end) >= 0;
        }

        private void befall(Fate fate, long of, int length) throws IOException {
            if (fate == Fate.LATE) {
                late.add(new Late(ByteBuffer.allocate(length).put(in).flip(), schedule.overtaking(number, of) + 1));
                return;
            }
            if (fate == Fate.DAMAGED) {
                int at = schedule.bit(number, of, length * Byte.SIZE);
                at = at >>> 3 == CONGESTION ? at + Byte.SIZE : at; // the ICRC leaves it out
                in.put(at >>> 3, (byte) (in.get(at >>> 3) ^ 1 << (at & 7)));
            }
            for (int copies = fate == Fate.LOST ? 0 : fate == Fate.TWICE ? 2 : 1; copies > 0; copies--) {
                channel.send(in.duplicate(), to);
            }
        }

        private void overtake() throws IOException {
            for (int i = late.size(); i > 0; i--) {
                Late next = late.poll();
                if (--next.overtaking > 0) {
                    late.add(next);
                } else {
                    channel.send(next.bytes, to);
                }
            }
        }
    }

    private final FaultSchedule schedule;
    private final DatagramChannel channel;
    private final InetSocketAddress here;
    private final ByteBuffer in = ByteBuffer.allocate(MOST_PACKET);
    private final Packet packet = new Packet();
    private final AtomicLongArray befell = new AtomicLongArray(Fate.values().length);
    private final Thread thread = new Thread(this::run, "fault-proxy");
    private final Way[] ways;
    private volatile long dropped;
    private volatile IOException failure;

    /**
     * Opens the socket, and begins.
     *
     * @param at an address of this machine that neither peer has, with the UDP port of both
     */
    public FaultProxy(InetSocketAddress at, InetAddress one, InetAddress other, FaultSchedule schedule)
            throws IOException {
        this.schedule = schedule;
        here = at;
        channel = DatagramChannel.open().bind(at);
        ways = new Way[] {new Way(0, one, other), new Way(1, other, one)};
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                in.clear();
                InetSocketAddress sender = (InetSocketAddress) channel.receive(in);
                Way way = Arrays.stream(ways).filter(each -> each.from.equals(sender.getAddress())).findFirst()
                        .orElse(null);
                if (way == null || in.position() < Icrc.BYTES) {
                    drop();
                } else {
                    way.pass(sender, in.position());
                }
            }
        } catch (ClosedByInterruptException e) {
            return; // it is closed
        } catch (IOException e) {
            failure = channel.isOpen() ? e : null;
        }
    }

    private void drop() {
        dropped = dropped + 1; // this thread alone writes it
    }

    /** Returns how many packets had a fate. */
    public long befell(Fate fate) {
        return befell.get(fate.ordinal());
    }

    /** Returns how many packets came that were none, or damaged, or from elsewhere. */
    public long dropped() {
        return dropped;
    }

    /** Ends. @throws IOException when it had failed */
    @Override
    public void close() throws IOException {
        thread.interrupt();
        channel.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
