package org.jvrpc.verbs.contract;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * A completion as it was found, kept: the undefined fields of a failure are null, 0 or false.
 *
 * @param sourceQp the QP that sent a datagram; -1 for what is none
 * @param inline the data that lay in the CQE, or null
 */
record Wc(
        long wrId,
        int qpNumber,
        WcStatus status,
        WcOpcode opcode,
        int byteLength,
        boolean hasImmediate,
        int immediate,
        int sourceQp,
        byte[] inline) {

    static Wc of(WorkCompletion wc) {
        if (!wc.succeeded()) {
            return new Wc(wc.wrId(), wc.qpNumber(), wc.status(), null, 0, false, 0, -1, null);
        }
        byte[] inline = null;
        ByteBuffer buffer = wc.inlineBuffer();
        if (buffer != null) {
            inline = new byte[wc.byteLength()];
            buffer.get(wc.inlineOffset(), inline);
        }
        boolean imm = wc.hasImmediate();
        return new Wc(wc.wrId(), wc.qpNumber(), wc.status(), wc.opcode(), wc.byteLength(),
                imm, imm ? wc.immediate() : 0, wc.isDatagram() ? wc.sourceQp() : -1, inline);
    }

    @Override
    public String toString() {
        return "{wrId=" + wrId + " qpNumber=" + qpNumber + " " + status + (opcode == null ? "" : " " + opcode
                + " byteLength=" + byteLength) + (hasImmediate ? " immediate=" + immediate : "")
                + (sourceQp >= 0 ? " sourceQp=" + sourceQp : "") + "}";
    }
}
