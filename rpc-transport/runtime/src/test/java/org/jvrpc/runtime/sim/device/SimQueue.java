package org.jvrpc.runtime.sim.device;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jvrpc.runtime.sim.world.Violation;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A completion queue of a simulated device. */
final class SimQueue implements CompletionQueue {

    private final SimDevice device;
    private final CompletionQueueAttributes attributes;
    private final Queue<Entry> entries = new ArrayDeque<>();
    private boolean armed;

    /**
     * @param opcode null for a failure
     * @param number of the send that it tells the end of, and of those before it; 0 for a receive
     */
    record Entry(SimQueuePair qp, long wrId, WcOpcode opcode, WcStatus status, int bytes, long number) {
    }

    SimQueue(SimDevice device, CompletionQueueAttributes attributes) {
        this.device = device;
        this.attributes = attributes;
    }

    /** @param quietly an armed queue makes no event yet, see {@code lazyWake} */
    void add(Entry entry, boolean quietly) {
        if (entries.size() == attributes.depth()) {
            throw new Violation("completion queue overran: depth=" + attributes.depth());
        }
        entries.add(entry);
        if (!quietly) {
            fire();
        }
    }

    /** Makes the event of an armed queue that has entries. */
    void fire() {
        if (armed && !entries.isEmpty()) {
            armed = false;
            ((SimChannel) attributes.channel()).wakeup();
        }
    }

    @Override
    public boolean poll(WorkCompletion wc) {
        device.process().world().mayYield();
        Entry entry = entries.poll();
        if (entry == null) {
            return false;
        }
        device.process().world().happened();
        entry.qp.retire(entry.number);
        if (entry.status == WcStatus.SUCCESS) {
            wc.succeed(entry.wrId, entry.qp.number(), entry.opcode, entry.bytes);
        } else {
            wc.fail(entry.wrId, entry.qp.number(), entry.status, 0);
        }
        return true;
    }

    @Override
    public boolean hasMore() {
        return !entries.isEmpty();
    }

    @Override
    public void arm() {
        armed = true;
        device.process().world().mayYield();
    }

    @Override
    public void disarm() {
        armed = false;
    }

    @Override
    public int depth() {
        return attributes.depth();
    }

    @Override
    public int number() {
        return 0;
    }

    @Override
    public void close() {
        device.gone(this);
    }

    @Override
    public String toString() {
        return "completion queue";
    }
}
