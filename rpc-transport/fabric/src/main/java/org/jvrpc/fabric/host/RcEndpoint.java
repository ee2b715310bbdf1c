package org.jvrpc.fabric.host;

import java.nio.ByteBuffer;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.roce.congestion.Ecn;
import org.jvrpc.roce.rc.PacketSink;
import org.jvrpc.roce.rc.RcCounters;
import org.jvrpc.roce.rc.RcTransport;
import org.jvrpc.roce.rc.ReceiveQueue;
import org.jvrpc.roce.rc.SendQueue;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.verbs.WcStatus;

/**
 * A QP of a NIC: the RC service as it is on the wire, between an application and the NIC's turns. It sends one packet a
 * turn, so that the QPs of a NIC share its link.
 */
public final class RcEndpoint extends Talker implements SendQueue, ReceiveQueue, PacketSink, EventTarget {

    private static final int TIMER = 0;
    private static final int PACE = 1;

    private final Nic nic;
    private final int qpn;
    private final EndpointSettings settings;
    private final Application application;
    /** What is between it and this QP, where that takes time; null where it does not. */
    private final FarApplication far;
    /** Null: its host's. */
    private final EndpointMemory own;
    private final FlowRate rate;
    private final int trafficClass;
    private final int lane;
    private RcTransport transport;
    private Envelope envelope;
    private int peerQpn;
    private int firstPsn;
    /** Told once that the peer was heard of; null afterwards, and where nobody asks. */
    private Runnable heard;
    /** The peer is ready. Until then nothing is sent. */
    private boolean begun;
    private Frame spare;
    private Frame out;
    private int turns;
    private boolean receiveAtHand;
    /** Answers to READs have left: they are data, and wait for the pacer. */
    private boolean answersReads;
    private long timerAtNs = Long.MAX_VALUE;
    private boolean paces;
    private boolean failed;

    RcEndpoint(Nic nic, int qpn, EndpointSettings settings, Application application, EndpointMemory own) {
        this.own = own;
        this.nic = nic;
        this.qpn = qpn;
        this.settings = settings;
        far = nic.hostSide() == null ? null : new FarApplication(this, nic.hostSide(), application);
        this.application = far == null ? application : far;
        lane = nic.lane(settings.serviceLevel());
        rate = settings.dcqcn() == null ? null
                : new FlowRate(settings.dcqcn(), nic.port().bitsPerSecond(), nic.network().nowNs());
        trafficClass = Ecn.trafficClass(settings.serviceLevel(), rate == null ? Ecn.NOT_ECT : Ecn.ECT_0);
    }

    /** Connects two QPs, each with the first PSN that its NIC gives. */
    public static void connect(RcEndpoint a, RcEndpoint b) {
        connect(a, b, a.nic.firstPsn(), b.nic.firstPsn());
    }

    /** Connects two QPs whose first PSNs somebody chose. */
    public static void connect(RcEndpoint a, RcEndpoint b, int fromA, int fromB) {
        a.connect(b, fromA, fromB);
        b.connect(a, fromB, fromA);
        a.posted();
        b.posted();
    }

    private void connect(RcEndpoint other, int sendPsn, int receivePsn) {
        agree(other.nic.mac(), other.qpn, sendPsn, receivePsn, null);
        begun = true;
    }

    /**
     * Knows its peer from now on. Nothing is sent before {@link #begin}.
     *
     * @param peerMac of the peer's NIC
     * @param whenHeard told once, when a packet of the peer's came: the first that it sends, until it has begun
     */
    public void agree(int peerMac, int newPeerQpn, int sendPsn, int receivePsn, Runnable whenHeard) {
        if (failed) {
            return;
        }
        peerQpn = newPeerQpn;
        firstPsn = receivePsn;
        heard = whenHeard;
        envelope = new Envelope(nic, peerMac, settings.sourcePort());
        transport = new RcTransport(this, this, own == null ? nic.memory() : own, this, settings.attributes(),
                settings.works(), peerQpn, sendPsn, receivePsn);
    }

    /** The peer is ready. */
    public void begin() {
        if (!begun && !failed) {
            begun = true;
            posted();
        }
    }

    /** Returns true when it knows its peer. */
    public boolean isConnected() {
        return envelope != null;
    }

    /** Returns the address of the peer's NIC. */
    public int peerMac() {
        return envelope.peer();
    }

    public int peerQpn() {
        return peerQpn;
    }

    Envelope envelope() {
        return envelope;
    }

    public int qpn() {
        return qpn;
    }

    public Nic nic() {
        return nic;
    }

    public RcCounters counters() {
        return transport.counters();
    }

    /** Returns how many packets were sent that are not acknowledged; a READ's are those of its answer. */
    public int packetsUnderWay() {
        return transport.packetsUnderWay();
    }

    /** Returns true when a WR or a receive failed: the QP is in ERR. */
    public boolean hasFailed() {
        return failed;
    }

    /** Returns the rate that congestion control allows now. */
    public long bitsPerSecond() {
        return rate == null ? nic.port().bitsPerSecond() : rate.bitsPerSecond();
    }

    /** The application has a WR to be fetched. */
    public void posted() {
        if (far != null) {
            far.posted();
        }
        nic.list(this);
    }

    /** The NIC has a WR that was posted. */
    void listed() {
        nic.list(this);
    }

    /** The host died, or the QP's owner wants no more: all ends. */
    public void fail() {
        failed = true;
        if (transport != null) {
            transport.fail();
        }
        if (far != null) {
            far.ended();
        }
        if (spare != null) {
            nic.network().release(spare);
            spare = null;
        }
    }

    @Override
    int lane() {
        return lane;
    }

    @Override
    boolean isLooped() {
        return envelope != null && envelope.peer() == nic.mac() && nic.loopback() != null;
    }

    // ---- turns

    @Override
    Frame turn(long nowNs) {
        if (!begun) {
            return null;
        }
        boolean paced = rate == null || rate.mayLeave(nowNs);
        if (!paced) {
            pace(nowNs);
        }
        turns = paced || !answersReads && transport.isAnswerDue() ? 1 : 0;
        progress(nowNs);
        Frame frame = out;
        out = null;
        if (frame != null && rate != null && isData(frame)) {
            rate.left(frame.bytes() + Frame.GAP_BYTES, nowNs);
        }
        return frame;
    }

    private void progress(long nowNs) {
        transport.progress(nowNs);
        turns = 0;
        long deadlineNs = transport.deadlineNs();
        if (deadlineNs < timerAtNs) {
            timerAtNs = deadlineNs;
            nic.network().events().schedule(Math.max(deadlineNs, nowNs), this, TIMER, null, deadlineNs);
        }
    }

    private static boolean isData(Frame frame) {
        int opcode = frame.packet().get(0) & 0xff;
        return Opcode.isReadResponse(opcode) || Opcode.isSend(opcode) || Opcode.isWrite(opcode);
    }

    private void pace(long nowNs) {
        if (!paces) {
            paces = true;
            nic.network().events().schedule(rate.nextNs(nowNs), this, PACE, null, 0);
        }
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        long nowNs = nic.network().nowNs();
        if (kind == PACE) {
            paces = false;
        } else if (argument == timerAtNs) {
            timerAtNs = Long.MAX_VALUE;
            if (nic.isDead()) {
                return;
            }
            progress(nowNs); // sends nothing: it is not its turn
        } else {
            return; // an earlier deadline came up meanwhile
        }
        nic.list(this);
    }

    /** Takes a packet for this QP. */
    void receive(Packet packet, Frame frame, long nowNs) {
        if (heard != null && !failed && (begun || packet.psn() == firstPsn)) {
            Runnable once = heard;
            heard = null;
            once.run();
        }
        if (!begun) {
            return; // others are sent again
        }
        if (packet.opcode() == Opcode.CNP) {
            nic.counters().cnpsReceived++;
            if (rate != null) {
                rate.cnp(nowNs);
            }
            return;
        }
        if (rate != null && rate.received(frame.trafficClass(), nowNs)) {
            nic.sendCnp(this);
        }
        transport.receive(packet, nowNs);
        nic.list(this);
    }

    // ---- packets

    @Override
    public boolean isReady() {
        return turns > 0;
    }

    @Override
    public ByteBuffer buffer() {
        if (spare == null) {
            spare = nic.network().frame();
        }
        return spare.packet();
    }

    @Override
    public int offset() {
        return 0;
    }

    @Override
    public void send(int length) {
        envelope.seal(spare, length, settings.serviceLevel(), trafficClass);
        answersReads |= Opcode.isReadResponse(spare.packet().get(0) & 0xff);
        out = spare;
        spare = null;
        turns--;
    }

    // ---- work

    @Override
    public boolean fetch(SendWork work) {
        return application.fetch(work);
    }

    @Override
    public WcStatus gather(SendWork work, long from, ByteBuffer packet, int at, int length) {
        if (own != null) {
            return own.gather(work, from, packet, at, length);
        }
        return nic.memory().load(application.address(work) + from, packet, at, length)
                ? WcStatus.SUCCESS : WcStatus.LOC_PROT_ERR;
    }

    @Override
    public WcStatus scatter(SendWork work, long from, ByteBuffer packet, int at, int length) {
        if (own != null) {
            return own.scatter(work, from, packet, at, length);
        }
        return nic.memory().store(application.address(work) + from, packet, at, length)
                ? WcStatus.SUCCESS : WcStatus.LOC_PROT_ERR;
    }

    @Override
    public WcStatus store(SendWork work, long found) {
        if (own != null) {
            return own.store(work, found);
        }
        if (nic.memory().bytes() != null) {
            nic.memory().bytes().putLong((int) application.address(work), found);
        }
        return WcStatus.SUCCESS;
    }

    @Override
    public void complete(SendWork work, WcStatus status) {
        application.completedInNic(work, nic.network().nowNs());
        application.completed(work, status, nic.network().nowNs());
    }

    @Override
    public void failed() {
        failed = true;
        application.failed();
    }

    // ---- receives

    @Override
    public boolean take() {
        receiveAtHand = receiveAtHand || application.takeReceive();
        return receiveAtHand;
    }

    @Override
    public WcStatus place(long from, ByteBuffer packet, int at, int length, boolean last) {
        if (from + length > application.receiveBytes()) {
            return WcStatus.LOC_LEN_ERR;
        }
        if (own != null) {
            return own.place(from, packet, at, length);
        }
        return nic.memory().store(application.receiveAddress() + from, packet, at, length)
                ? WcStatus.SUCCESS : WcStatus.LOC_PROT_ERR;
    }

    @Override
    public boolean complete(Arrival kind, long length, int word) {
        receiveAtHand = false;
        application.arrived(kind, length, word, nic.network().nowNs());
        return true;
    }

    @Override
    public void fail(WcStatus status) {
        receiveAtHand = false;
    }
}
