package org.jvrpc.fabric.host;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.roce.cm.CmConnection;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.roce.cm.CmPeer;
import org.jvrpc.roce.cm.CmSettings;
import org.jvrpc.roce.cm.ConnectionManager;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;

/**
 * QP 1 of a NIC: connections are made and ended by MADs, in frames that may be lost as any other, with the classes of
 * {@code org.jvrpc.roce.cm} as they are. In networks with payloads alone.
 */
public final class ManagementPort implements EventTarget {

    static final int QPN = 1;

    private static final int MAD_AT = Bth.BYTES + Deth.BYTES;
    private static final int LENGTH = MAD_AT + Mad.BYTES;
    private static final int ROCE_PORT = 4791;
    private static final int SOURCE_PORT = 0xc000;
    /** Locally administered. */
    private static final long GUID = 0x02L << 56;

    private final Nic nic;
    private final ConnectionManager manager;
    private final Map<Integer, Envelope> envelopes = new HashMap<>();
    private long timerAtNs = Long.MAX_VALUE;
    private int psn;
    private long refused;

    /** Whose events those of a connection are, or of those that want to connect to a service. */
    public interface Owner {

        /** Handles an event. */
        void event(CmEvent event);
    }

    ManagementPort(Nic nic, CmSettings settings, Chance chance) {
        if (!nic.network().hasPayloads()) {
            throw new IllegalArgumentException("frames have no room for MADs: payloads=false");
        }
        this.nic = nic;
        manager = new ConnectionManager(this::send, settings, () -> (int) chance.bits(), GUID | nic.mac());
    }

    // ---- packets

    /** Takes a packet for QP 1, with its ICRC as it came. */
    void receive(Packet packet, Frame frame, boolean checksIcrc, long nowNs) {
        ByteBuffer bytes = frame.packet();
        if (packet.opcode() != Opcode.UD_SEND_ONLY || packet.length() != Mad.BYTES
                || Deth.qkey(bytes, Bth.BYTES) != Mad.QKEY || checksIcrc && !envelope(frame.source()).isSound(frame)) {
            refused++;
            return;
        }
        manager.receive(bytes.slice(MAD_AT, Mad.BYTES), peer(Envelope.address(frame.source())), nowNs);
        goOn();
    }

    private Envelope envelope(int peer) {
        return envelopes.computeIfAbsent(peer, mac -> new Envelope(nic, mac, SOURCE_PORT));
    }

    private void send(ByteBuffer mad, CmPeer to) {
        if (nic.isDead()) {
            return;
        }
        Frame frame = nic.network().frame();
        ByteBuffer packet = frame.packet();
        Bth.write(packet, 0, Opcode.UD_SEND_ONLY, 0, false, false, QPN, psn++);
        Deth.write(packet, Bth.BYTES, Mad.QKEY, QPN);
        packet.put(MAD_AT, mad, 0, Mad.BYTES);
        nic.sendControl(envelope(mac(to)), frame, LENGTH);
    }

    /** Returns where messages to a NIC go. */
    public static CmPeer peer(byte[] address) {
        return new CmPeer(Gid.of(address), ROCE_PORT);
    }

    /** Returns the address of a peer's NIC. */
    public static int mac(CmPeer peer) {
        return Envelope.mac(peer.gid().address());
    }

    // ---- time

    /** Has owners told, and waits for what is due next. */
    private void goOn() {
        for (CmEvent event = manager.poll(); event != null; event = manager.poll()) {
            ((Owner) event.connection().attachment()).event(event);
        }
        long deadlineNs = manager.deadlineNs();
        if (deadlineNs < timerAtNs) {
            timerAtNs = deadlineNs;
            nic.network().events().schedule(Math.max(deadlineNs, nowNs()), this, 0, null, deadlineNs);
        }
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        if (argument == timerAtNs) { // else an earlier one came up meanwhile
            timerAtNs = Long.MAX_VALUE;
            manager.tick(nowNs());
            goOn();
        }
    }

    private long nowNs() {
        return nic.network().nowNs();
    }

    // ---- the consumer: see ConnectionManager

    /** Takes a service id. @return false when it is taken */
    public boolean listen(long serviceId, Owner owner) {
        return manager.listen(serviceId, owner);
    }

    public void unlisten(long serviceId) {
        manager.unlisten(serviceId);
    }

    /** Asks a peer for a connection, whose owner is told what came of it. */
    public CmConnection connect(ConnectRequest request, CmPeer to, Owner owner) {
        CmConnection made = manager.connect(request, to, owner, nowNs());
        goOn();
        return made;
    }

    /** The QP of a connection that the peer accepted is ready. @return false when the peer gave up meanwhile */
    public boolean ready(CmConnection connection) {
        boolean ready = manager.ready(connection, nowNs());
        goOn();
        return ready;
    }

    /** A packet of the connection came that its peer alone can have sent. */
    public void heard(CmConnection connection) {
        manager.heard(connection, nowNs());
        goOn();
    }

    /** Accepts a request. @return false when the peer gave up meanwhile */
    public boolean accept(CmConnection connection, ConnectReply reply) {
        boolean accepted = manager.accept(connection, reply, nowNs());
        goOn();
        return accepted;
    }

    /** Rejects a request. @return false when the peer gave up meanwhile */
    public boolean reject(CmConnection connection, int reason, byte[] data) {
        boolean rejected = manager.reject(connection, reason, data, nowNs());
        goOn();
        return rejected;
    }

    public void disconnect(CmConnection connection) {
        manager.disconnect(connection, nowNs());
        goOn();
    }

    /** Returns true when nobody waits for an answer to a disconnect, or to prove that it gets what is sent to it. */
    public boolean isQuiet() {
        return manager.disconnecting() == 0 && manager.halfOpen() == 0;
    }

    /** Returns how many packets were of no use: damaged, no MADs, of strangers, or for nobody. */
    public long dropped() {
        return refused + manager.counters().total();
    }
}
