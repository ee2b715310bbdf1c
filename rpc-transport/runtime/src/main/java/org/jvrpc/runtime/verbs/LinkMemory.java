package org.jvrpc.runtime.verbs;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/**
 * The session memory of a link, which may grow: its slots, with their prepared SENDs, and its receives. One thread, but
 * for what is said to be for any.
 */
final class LinkMemory implements AutoCloseable {

    private final LinkRegion.Source source;
    private final LinkSize size;
    private final SendSlots sends;
    private final ReceiveBatches batches;
    private final List<LinkRegion> regions = new ArrayList<>();
    private volatile int slots;
    private volatile int receives;
    private boolean closed;

    /** Makes the first region. */
    LinkMemory(QueuePair qp, SessionDomain domain, LinkSize size) {
        this.source = domain;
        this.size = size;
        this.sends = new SendSlots(qp, size.mostSlots() + Protocol.CONTROLS);
        this.batches = new ReceiveBatches(qp);
        regions.add(new LinkRegion(domain.ofLink(), size.slots(), Protocol.CONTROLS, size.slotBytes(),
                ReceiveBatches.count(size.messages())));
    }

    MemoryRegion first() {
        return regions.get(0).mr();
    }

    SendSlots sends() {
        return sends;
    }

    ReceiveBatches batches() {
        return batches;
    }

    /** Returns the number of the first slot of control messages, behind all that there may be later. */
    int controls() {
        return size.mostSlots();
    }

    /** Prepares and posts what the first region has. After the QP is in INIT. */
    void begin() {
        add(regions.get(0));
    }

    private void add(LinkRegion region) {
        sends.add(region, slots, controls());
        batches.add(region);
        slots += region.slots();
        receives += region.receives();
    }

    /** See {@link Link#prepare}. Any thread. */
    LinkRegion prepare(int mostSlots, int messages) {
        try {
            return new LinkRegion(source, mostSlots - slots, 0, size.slotBytes(),
                    ReceiveBatches.count(messages) - receives);
        } catch (VerbsException e) {
            throw new RpcException(ClientDevice.statusOf(e), e.getMessage(), e);
        }
    }

    /** See {@link Link#grow}. @throws VerbsException when not all can be prepared and posted */
    void grow(LinkRegion region) {
        if (closed) {
            region.close();
        } else {
            regions.add(region);
            add(region);
        }
    }

    @Override
    public void close() {
        closed = true;
        regions.forEach(LinkRegion::close);
    }
}
