package org.jvrpc.router.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * Long messages to and from another router's tenants, without a copy between: whoever wants the bytes READs them from
 * the other tenant's memory to its own tenant's. Nobody ever writes to memory of another host. The other router has a
 * key of just those bytes, for just this transfer. When the key has to go in the midst of it, the QP breaks, and
 * another is used until it is made anew; what went by it goes by copies. The worker's thread, once QPs are connected,
 * but for what is the maker's.
 */
final class Bulk {

    static final int QPS = 4;
    /** Fewer bytes are as soon copied, or sooner: benchmarks/README.md. */
    static final int LEAST = 64 << 10;
    /** The most bytes at once, so that many take turns. */
    static final int MOST = 1 << 20;
    /** Keys that the peer may have, and READs that wait, at once. */
    private static final int OPEN = 64;
    /** READs under way. */
    private static final int POSTED = 4;
    /** READs that take longer are given up. */
    private static final long LATE_NS = 4_000_000_000L;
    private static final long A_READ = 1L << 33;

    private final Adopted adopted;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final One[] qps = new One[QPS];
    /** Those that are being made anew, until the worker has them. */
    private final AtomicReferenceArray<One> spares = new AtomicReferenceArray<>(QPS);
    /** Those that were made anew, until the maker has closed them. */
    private final AtomicReferenceArray<One> old = new AtomicReferenceArray<>(QPS);
    /** A bit for each that is broken. */
    private volatile int broken;
    private final List<Transfer> open = new ArrayList<>();
    private final Queue<Transfer> waiting = new ArrayDeque<>();
    /** READs that have ended, of which their owners are not told yet. */
    private final Queue<Transfer> ended = new ArrayDeque<>();
    private final Transfer[] posted = new Transfer[POSTED];
    /** The QP of those. */
    private int current;
    private int underWay;
    private long nowNs;

    /** A QP. Its maker's until it is connected, and once it is old. */
    private static final class One {

        private final QueuePair qp;
        private Connection connection;
        private PostSend read;
        private boolean broken;

        private One(ProtectionDomain pd, CompletionQueue cq) {
            qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(2 * POSTED, 1).sges(1, 1));
            qp.init();
        }

        private void connected(Connection made) {
            connection = made;
            read = qp.prepareSend(SendRequest.read(0, 0, 0, new Sge(0, MOST, 0)).signalled());
        }

        private boolean isUsable() {
            return read != null && !broken;
        }

        private void close() {
            if (connection != null) {
                connection.close();
            } else {
                qp.close();
            }
        }
    }

    /** Who wants bytes, or has some that are wanted. */
    interface Owner {

        Holder holder();

        /** The READ has ended; the memory is its own again. @param came false: it has to be copied */
        void ended(boolean came);

        /** Memory is not its own any more: it ends the transfer. */
        void revoked();
    }

    /** One piece of a tenant's memory that is read by the peer, or written by a READ. */
    static final class Transfer {

        private final Owner owner;
        private MemoryRegion region;
        private Slab slab;
        private long address;
        private int bytes;
        private long remote;
        private int rkey;
        private boolean reads;
        private boolean came;
        private long sinceNs;

        Transfer(Owner owner) {
            this.owner = owner;
        }

        boolean isOpen() {
            return region != null;
        }

        /** Returns where the peer finds it. */
        long remoteAddress() {
            return region.address();
        }

        int remoteKey() {
            return region.rkey();
        }
    }

    /** QPs that are not connected. */
    Bulk(Adopted adopted, ProtectionDomain pd, CompletionQueue cq) {
        this.adopted = adopted;
        this.pd = pd;
        this.cq = cq;
        for (int i = 0; i < QPS; i++) {
            qps[i] = new One(pd, cq);
        }
    }

    /** Returns how many completions its QPs may have, and those before them. */
    static int completions() {
        return 2 * QPS * (2 * POSTED + 1);
    }

    QueuePair qp(int i) {
        return qps[i].qp;
    }

    void connected(int i, Connection made) {
        qps[i].connected(made);
    }

    private boolean hasQp() {
        for (int i = 1; i < QPS && !qps[current].isUsable(); i++) {
            current = (current + 1) % QPS;
        }
        return qps[current].isUsable();
    }

    // What is made anew.

    /** Returns a bit for each QP that is broken. Any thread. */
    int broken() {
        return broken;
    }

    /** Tells whether a QP is just being made anew. Any thread. */
    boolean isRenewed(int i) {
        return spares.get(i) != null || old.get(i) != null;
    }

    /** Makes a QP anew, which is to be connected. The maker's thread, as for all spares. */
    QueuePair spare(int i) {
        spares.set(i, new One(pd, cq));
        return spares.get(i).qp;
    }

    void spareConnected(int i, Connection made) {
        spares.get(i).connected(made);
    }

    /** The QP cannot be connected. */
    void dropSpare(int i) {
        spares.getAndSet(i, null).close();
    }

    /** Takes over a QP that was made anew; what is under way by the one before goes by copies. */
    void renew(int i) {
        if (i == current && underWay > 0) {
            breaks();
        }
        old.set(i, qps[i]);
        qps[i] = spares.getAndSet(i, null);
        broken &= ~(1 << i);
        post();
    }

    /** Closes what a QP was made anew for; may wait for the device. The maker's thread. */
    void closeOld(int i) {
        One one = old.getAndSet(i, null);
        if (one != null) {
            one.close();
        }
    }

    // What is moved.

    /** Tells whether a tenant may have one more. */
    boolean mayOpen(Holder holder) {
        return hasQp() && open.size() < OPEN && !holder.isBarred(nowNs);
    }

    /** Has memory at hand. @param access REMOTE_READ or LOCAL_WRITE @return false when it has to be copied */
    boolean open(Transfer transfer, MemoryRange range, int bytes, int access) {
        if (range.slab() == null || !mayOpen(transfer.owner.holder())) {
            return false;
        }
        transfer.region = adopted.share(pd, range.slab(), range.address(), bytes, access);
        if (transfer.region == null) {
            transfer.owner.holder().bar(nowNs); // its memory is not there, or is more than may be pinned now
            return false;
        }
        transfer.slab = range.slab();
        transfer.address = range.address();
        transfer.bytes = bytes;
        transfer.reads = access == Access.LOCAL_WRITE;
        transfer.sinceNs = nowNs;
        open.add(transfer);
        return true;
    }

    /** Reads the peer's memory to that at hand; its owner is told. */
    void read(Transfer transfer, long remote, int rkey) {
        transfer.remote = remote;
        transfer.rkey = rkey;
        waiting.add(transfer);
        post();
    }

    private void post() {
        for (int i = 0; i < POSTED && !waiting.isEmpty(); i++) {
            if (!hasQp()) {
                giveUpWaiting();
                return;
            }
            if (posted[i] == null) {
                Transfer next = waiting.remove();
                posted[i] = next;
                underWay++;
                PostSend read = qps[current].read;
                read.wrId(0, A_READ | i).address(0, 0, next.region.address()).length(0, 0, next.bytes)
                        .lkey(0, 0, next.region.lkey()).remoteAddress(0, next.remote).rkey(0, next.rkey);
                if (read.execute() != 1) {
                    breaks();
                }
            }
        }
    }

    private void giveUpWaiting() {
        for (Transfer next = waiting.poll(); next != null; next = waiting.poll()) {
            ended(next, false);
        }
    }

    private void ended(Transfer transfer, boolean came) {
        release(transfer);
        transfer.came = came;
        ended.add(transfer);
    }

    /** Tells the owner of a READ that has ended, if there is one. */
    boolean tell() {
        Transfer one = ended.poll();
        if (one != null) {
            one.owner.ended(one.came);
        }
        return one != null;
    }

    /**
     * Ends a transfer, if it is one: when this returns nothing is brought to its memory, and nobody reads it.
     *
     * @param guilty its tenant ended it in the midst
     */
    void close(Transfer transfer, boolean guilty) {
        if (!transfer.isOpen()) {
            ended.remove(transfer);
            return;
        }
        release(transfer);
        if (guilty) {
            transfer.owner.holder().bar(nowNs);
        }
        if (transfer.reads && !waiting.remove(transfer) && isPosted(transfer)) {
            breaks();
        }
    }

    /** As {@link #close}, of a READ, whose owner is told later. */
    void giveUp(Transfer transfer) {
        close(transfer, true);
        transfer.came = false;
        ended.add(transfer);
    }

    private void release(Transfer transfer) {
        MemoryRegion region = transfer.region;
        transfer.region = null;
        transfer.slab = null;
        open.remove(transfer);
        region.close(); // waits until no packet is just being handled
    }

    private boolean isPosted(Transfer transfer) {
        for (int i = 0; i < POSTED; i++) {
            if (posted[i] == transfer) {
                posted[i] = null;
                underWay--;
                return true;
            }
        }
        return false;
    }

    /** The QP is of no use any more: what goes by it goes by copies, and what waits by another. */
    private void breaks() {
        qps[current].broken = true;
        broken |= 1 << current;
        for (int i = 0; i < POSTED; i++) {
            if (posted[i] != null) {
                ended(posted[i], false);
                posted[i] = null;
            }
        }
        underWay = 0;
        post();
    }

    /** Takes a completion; false for one that is not its own. */
    boolean completed(WorkCompletion wc) {
        for (int i = 0; i < QPS; i++) {
            if (qps[i].qp.number() == wc.qpNumber()) {
                completed(i, wc);
                return true;
            }
        }
        return false;
    }

    private void completed(int qp, WorkCompletion wc) {
        int i = (int) wc.wrId() & POSTED - 1;
        Transfer done = posted[i];
        if (qps[qp].broken || qp != current || done == null) {
            return;
        }
        if (!wc.succeeded()) {
            if (wc.status() == WcStatus.LOC_PROT_ERR) {
                done.owner.holder().bar(nowNs); // its memory is not there
            }
            breaks();
            return;
        }
        posted[i] = null;
        underWay--;
        adopted.moved(done.bytes);
        ended(done, true);
        post();
    }

    /** Gives up what takes too long: its peer may be anything. Returns how much that was. */
    int endLate(long now) {
        for (int i = 0; i < POSTED; i++) {
            if (posted[i] != null && now - posted[i].sinceNs > 2 * LATE_NS) {
                breaks();
                return 1;
            }
        }
        int count = 0;
        for (Transfer next = waiting.peek(); next != null && now - next.sinceNs > LATE_NS; next = waiting.peek()) {
            waiting.remove();
            ended(next, false);
            count++;
        }
        return count;
    }

    /** Has the time told. */
    void poll(long now) {
        nowNs = now;
    }

    boolean isBusy() {
        return underWay > 0 || !ended.isEmpty();
    }

    /** A part of a slab is its owner's alone. */
    void revoke(Slab slab, long address, long length) {
        for (int i = open.size() - 1; i >= 0; i--) {
            Transfer one = i < open.size() ? open.get(i) : null;
            if (one != null && one.slab == slab && one.address < address + length
                    && address < one.address + one.bytes) {
                one.owner.revoked();
            }
        }
    }

    /** Whoever has it alone. */
    void close() {
        for (Transfer one : List.copyOf(open)) {
            release(one);
        }
        for (int i = 0; i < QPS; i++) {
            qps[i].close();
            closeOld(i);
            if (spares.get(i) != null) {
                dropSpare(i);
            }
        }
    }
}
