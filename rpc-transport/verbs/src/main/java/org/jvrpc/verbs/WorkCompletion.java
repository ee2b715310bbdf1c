package org.jvrpc.verbs;

import java.nio.ByteBuffer;

/**
 * What {@link CompletionQueue#poll} found; made once and filled anew by each poll. When {@link #status()} is not
 * {@link WcStatus#SUCCESS}, only {@link #wrId()}, {@link #qpNumber()}, {@code status} and {@link #vendorError()} hold:
 * the others throw, because a real device leaves garbage there. One thread.
 */
public final class WorkCompletion {

    /** Bits of {@code parts}: one store clears them all. */
    private static final int IMMEDIATE = 1;
    private static final int INLINED = 2;
    private static final int DATAGRAM = 4;

    private long wrId;
    private int qpNumber;
    private WcStatus status = WcStatus.GENERAL_ERR;
    private WcOpcode opcode;
    private int vendorError;
    private int byteLength;
    private int immediate;
    private int parts;
    private int sourceQp;
    private ByteBuffer inlineBuffer;
    private int inlineOffset;

    /** For devices: fills in a success. */
    public void succeed(long wrId, int qpNumber, WcOpcode opcode, int byteLength) {
        this.wrId = wrId;
        this.qpNumber = qpNumber;
        if (this.status != WcStatus.SUCCESS || this.opcode != opcode) {
            this.status = WcStatus.SUCCESS; // a store of a reference costs the collector's barrier
            this.opcode = opcode;
        }
        this.byteLength = byteLength;
        this.parts = 0;
    }

    /** For devices: fills in a failure. */
    public void fail(long wrId, int qpNumber, WcStatus status, int vendorError) {
        this.wrId = wrId;
        this.qpNumber = qpNumber;
        this.status = status;
        this.vendorError = vendorError;
    }

    /** For devices: adds immediate data to a success. */
    public void immediate(int value) {
        this.immediate = value;
        this.parts |= IMMEDIATE;
    }

    /** For devices: says that a success is a receive of a UD QP, and who sent. */
    public void datagram(int sourceQp) {
        this.sourceQp = sourceQp;
        this.parts |= DATAGRAM;
    }

    /** For devices: says that the data of a receive lies in the CQE. */
    public void inline(ByteBuffer buffer, int offset) {
        if (this.inlineBuffer != buffer) {
            this.inlineBuffer = buffer;
        }
        this.parts |= INLINED;
        this.inlineOffset = offset;
    }

    /** Returns the {@code wrId} of the work request. */
    public long wrId() {
        return wrId;
    }

    /** Returns the number of the QP that it was posted to. */
    public int qpNumber() {
        return qpNumber;
    }

    /** Returns how it ended. */
    public WcStatus status() {
        return status;
    }

    /** Returns true for {@link WcStatus#SUCCESS}. */
    public boolean succeeded() {
        return status == WcStatus.SUCCESS;
    }

    /** Returns the device's own error number, 0 on success. */
    public int vendorError() {
        return status == WcStatus.SUCCESS ? 0 : vendorError;
    }

    /** Returns what completed. */
    public WcOpcode opcode() {
        defined();
        return opcode;
    }

    /**
     * Returns the number of bytes that arrived (receives, READ, atomics), in bytes; of a datagram with the
     * {@link QueuePair#DATAGRAM_HEADER_BYTES} before it.
     */
    public int byteLength() {
        defined();
        return byteLength;
    }

    /** Returns true when immediate data arrived. */
    public boolean hasImmediate() {
        defined();
        return (parts & IMMEDIATE) != 0;
    }

    /** Returns the immediate data. */
    public int immediate() {
        defined();
        return immediate;
    }

    /** Returns true when a datagram arrived: then {@link #sourceQp()} holds. */
    public boolean isDatagram() {
        defined();
        return (parts & DATAGRAM) != 0;
    }

    /** Returns the number of the QP that sent the datagram, on its device. */
    public int sourceQp() {
        defined();
        return sourceQp;
    }

    /**
     * Returns the buffer that holds the data of this receive from {@link #inlineOffset()} on, or null when the data
     * lies in the receive's SGEs. Not null only for a CQ made with {@code payloadInPlace}; valid until the next poll.
     */
    public ByteBuffer inlineBuffer() {
        defined();
        return (parts & INLINED) != 0 ? inlineBuffer : null;
    }

    /** Returns where in {@link #inlineBuffer()} the data begins. */
    public int inlineOffset() {
        defined();
        return inlineOffset;
    }

    private void defined() {
        if (status != WcStatus.SUCCESS) {
            throw new IllegalStateException("undefined in a completion with status=" + status + " wrId=" + wrId
                    + " qpNumber=" + qpNumber);
        }
    }

    @Override
    public String toString() {
        return "wrId=" + wrId + " qpNumber=" + qpNumber + " status=" + status;
    }
}
