package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** A QP with its CQs and some memory with all rights. */
final class End {

    final Side side;
    final QueuePair qp;
    final Probe sends;
    final Probe receives;
    final MemoryRegion mr;

    End(Side side, QueuePair qp, Probe sends, Probe receives, MemoryRegion mr) {
        this.side = side;
        this.qp = qp;
        this.sends = sends;
        this.receives = receives;
        this.mr = mr;
    }

    Sge sge(long offset, int length) {
        return Sge.of(mr, offset, length);
    }

    long address(long offset) {
        return mr.address() + offset;
    }

    void put(long offset, byte[] bytes) {
        mr.buffer(offset, bytes.length).put(0, bytes);
    }

    byte[] bytes(long offset, int length) {
        byte[] bytes = new byte[length];
        mr.buffer(offset, length).get(0, bytes);
        return bytes;
    }

    long getLong(long offset) {
        return mr.buffer(offset, 8).getLong(0);
    }

    void putLong(long offset, long value) {
        ByteBuffer buffer = mr.buffer(offset, 8);
        buffer.putLong(0, value);
    }

    /** Posts sends by a call that is freed at once, and returns how many were accepted. */
    int tryPost(SendRequest... requests) {
        PostSend call = qp.prepareSend(requests);
        int accepted = call.execute();
        call.free();
        return accepted;
    }

    void post(SendRequest... requests) {
        assertEquals(requests.length, tryPost(requests), () -> "accepted sends; " + this);
    }

    int tryReceive(ReceiveRequest... requests) {
        PostReceive call = qp.prepareReceive(requests);
        int accepted = call.execute();
        call.free();
        return accepted;
    }

    void receive(long wrId, Sge... sges) {
        assertEquals(1, tryReceive(ReceiveRequest.of(wrId, sges)), () -> "accepted receives; " + this);
    }

    void receive(long wrId, long offset, int length) {
        receive(wrId, sge(offset, length));
    }

    /** Waits for the next completion of a send. */
    Wc sent() {
        return side.rig.await(sends);
    }

    /** Waits for the next completion of a receive. */
    Wc received() {
        return side.rig.await(receives);
    }

    void sentOk(long wrId, WcOpcode opcode) {
        Wc wc = sent();
        check(wc, wrId, WcStatus.SUCCESS);
        assertEquals(opcode, wc.opcode(), wc::toString);
    }

    /** Waits for the next receive to succeed with a plain SEND. */
    Wc receivedOk(long wrId, int byteLength) {
        return receivedOk(wrId, byteLength, WcOpcode.RECV);
    }

    Wc receivedOk(long wrId, int byteLength, WcOpcode opcode) {
        Wc wc = received();
        check(wc, wrId, WcStatus.SUCCESS);
        assertEquals(opcode, wc.opcode(), wc::toString);
        assertEquals(byteLength, wc.byteLength(), wc::toString);
        return wc;
    }

    void sentFails(long wrId, WcStatus status) {
        check(sent(), wrId, status);
    }

    void receivedFails(long wrId, WcStatus status) {
        check(received(), wrId, status);
    }

    void awaitState(QueuePairState state) {
        side.rig.until(this + " to be in " + state, () -> qp.state() == state);
    }

    void assertBytes(byte[] expected, long offset) {
        assertArrayEquals(expected, bytes(offset, expected.length), () -> "memory at offset=" + offset + " of " + this);
    }

    private void check(Wc wc, long wrId, WcStatus status) {
        assertTrue(wc.wrId() == wrId && wc.status() == status && wc.qpNumber() == qp.number(),
                () -> "expected wrId=" + wrId + " qpNumber=" + qp.number() + " " + status + ", got " + wc
                        + "; " + this);
    }

    @Override
    public String toString() {
        return "QP " + qp.number() + " of " + side.name + " state=" + qp.state() + " " + sends + " " + receives;
    }
}
