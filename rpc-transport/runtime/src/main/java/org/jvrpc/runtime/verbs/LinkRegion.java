package org.jvrpc.runtime.verbs;

import java.nio.ByteBuffer;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;

/** A region of a link's session memory, see {@link LinkLayout}: some of its slots and of its receives. Immutable. */
final class LinkRegion implements Link.Growth {

    /** Where regions come from. */
    interface Source {

        /** Makes a region that nobody but this side's device may touch. */
        MemoryRegion allocate(long bytes);

        void free(MemoryRegion region);
    }

    private final Source source;
    private final MemoryRegion mr;
    private final ByteBuffer memory;
    private final int slots;
    private final int controls;
    private final int slotBytes;
    private final int receives;

    /**
     * Makes one.
     *
     * @param controls slots of control messages, which are numbered behind the others
     * @param slotBytes longest body
     * @param receives how many there are
     */
    LinkRegion(Source source, int slots, int controls, int slotBytes, int receives) {
        long bytes = LinkLayout.regionBytes(slots + controls, slots, slotBytes, receives);
        this.source = source;
        this.slots = slots;
        this.controls = controls;
        this.slotBytes = slotBytes;
        this.receives = receives;
        this.mr = source.allocate(bytes);
        try {
            this.memory = mr.buffer(0, (int) bytes);
        } catch (RuntimeException | Error e) {
            source.free(mr);
            throw e;
        }
    }

    MemoryRegion mr() {
        return mr;
    }

    ByteBuffer memory() {
        return memory;
    }

    int slots() {
        return slots;
    }

    int controls() {
        return controls;
    }

    int receives() {
        return receives;
    }

    static int headerOffset(int slot) {
        return slot * LinkLayout.HEADER_STRIDE;
    }

    /** Returns where the body of a slot lies; a control message has an empty one. */
    int bodyOffset(int slot) {
        return LinkLayout.body(slots + controls, slotBytes, Math.min(slot, slots - 1));
    }

    /** Returns the SEND of a slot. */
    SendRequest send(int slot, int number) {
        return SendRequest.send(number,
                Sge.of(mr, headerOffset(slot), RpcHeader.BYTES),
                Sge.of(mr, bodyOffset(slot), slot < slots ? slotBytes : 0));
    }

    int receiveOffset(int receive) {
        return LinkLayout.receives(slots + controls, slots, slotBytes) + receive * ReceiveBatches.stride(slotBytes);
    }

    ReceiveRequest receive(int receive, int number) {
        return ReceiveRequest.of(number, Sge.of(mr, receiveOffset(receive), ReceiveBatches.stride(slotBytes)));
    }

    @Override
    public void close() {
        source.free(mr);
    }
}
