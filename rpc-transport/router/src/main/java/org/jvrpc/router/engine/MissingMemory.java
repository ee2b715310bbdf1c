package org.jvrpc.router.engine;

import java.util.Collection;
import java.util.List;
import org.jvrpc.router.Backing;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.softrnic.memory.LateFaults;
import org.jvrpc.softrnic.memory.Slab;

/**
 * What is done about memory that was mapped and is not there. As {@link LateFaults} says, the error may come long
 * afterwards and in the middle of another tenant's work: it is asked for where nobody else is harmed. The worker's
 * thread.
 */
final class MissingMemory {

    private static final SparseLog LOG = SparseLog.of(MissingMemory.class);
    /** While code is not compiled errors come at any moment, and its speed means nothing. */
    private static final int COLD_TURNS = 20_000;
    private static final long ASK_NS = 1_000_000;
    /** Errors of one QP in a row, each between two WQEs, that are one too many: it would go on for ever. */
    static final int MOST_IN_A_ROW = 8;
    private static final long A_ROW_NS = 1_000_000_000;

    private final Worker worker;
    private final Recent recent;
    private final Hot hot;
    private final Backing backing;
    private final Runnable tell;
    private int turns;
    private long askedNs;
    /** Whose memory was touched by the last turn. */
    private TenantDevice one;
    private TenantDevice other;
    private TenantQp last;
    private int inARow;
    private long rowNs;

    /** @param tell throws the error of what was touched and is not there: {@link LateFaults#tell} */
    MissingMemory(Worker worker, Recent recent, Hot hot, Backing backing, Runnable tell) {
        this.worker = worker;
        this.recent = recent;
        this.hot = hot;
        this.backing = backing;
        this.tell = tell;
    }

    /** Has it told now, behind each turn at first, and then each millisecond. */
    void tellInTime(long nowNs) {
        if (turns < COLD_TURNS || nowNs - askedNs > ASK_NS) {
            turns = Math.min(turns + 1, COLD_TURNS);
            askedNs = nowNs;
            tell();
        }
    }

    private void tell() {
        hot.asked();
        tell.run();
    }

    /**
     * Has it told before a QP's turn, in whose midst it would be told else, unless all that was touched since the last
     * turn is its own and its receiver's.
     *
     * @return false when it is closed now
     */
    boolean askBefore(TenantQp qp) {
        TenantDevice from = qp.device();
        TenantDevice to = qp.receiver() == null ? from : qp.receiver().device();
        boolean same = from == one && to == other || from == other && to == one;
        if (!same || hot.hasOthers(from.tenant(), to.tenant())) {
            ask();
        }
        one = qp.sendsToMany() ? null : from;
        other = to;
        recent.add(from);
        recent.add(to);
        return !qp.isClosed();
    }

    /** Has it told before a turn that touches memory of many. */
    void askBefore() {
        ask();
        one = null;
        other = null;
    }

    /** Has it told now, while nobody's work is at hand. */
    void ask() {
        try {
            tell();
        } catch (InternalError e) {
            hot.recall();
            vanished(null, e);
        }
    }

    /**
     * Expels who cut a file of its own. When nobody did, the two tenants of the WQE at hand go, or that of the chains,
     * as the machine has no memory left; of two only the one whose own file system is full, if there is one. A QP at
     * hand that was not in the middle of a WQE has nothing to do with it, and goes on; unless that comes again and
     * again, as where its receiver's ring is what is gone.
     */
    void vanished(Turn turn, InternalError e) {
        vanished(turn, e, !(turn instanceof TenantQp qp) || qp.send() == null || qp.send().isAtWork());
    }

    /** @param atWork nobody knows how much of what is at hand was done */
    void vanished(Turn turn, InternalError e, boolean atWork) {
        TenantQp qp = turn instanceof TenantQp found ? found : null;
        LOG.warn(turn == null ? "any" : turn.device().tenant(), "memory is gone under device={} qp={}: {}",
                turn == null ? "any" : turn.device(),
                qp == null ? "any" : qp.number(), e.toString());
        List<TenantDevice> guilty = recent.cut(backing::isWhole);
        boolean its = atWork || qp != null && guilty.isEmpty() && isOneTooMany(qp);
        if (guilty.isEmpty() && turn != null && its) {
            guilty = withoutRoom(turn.device(), qp == null || qp.receiver() == null ? null : qp.receiver().device());
        }
        guilty.forEach(MissingMemory::expel);
        if (qp != null && !qp.isClosed()) {
            if (its) {
                qp.abandon();
                qp.disconnect(false);
            }
            worker.ready(qp);
        }
    }

    private boolean isOneTooMany(TenantQp qp) {
        long nowNs = worker.clock().getAsLong();
        if (qp != last || nowNs - rowNs > A_ROW_NS) {
            last = qp;
            inARow = 0;
            rowNs = nowNs;
        }
        return ++inARow >= MOST_IN_A_ROW;
    }

    private List<TenantDevice> withoutRoom(TenantDevice from, TenantDevice to) {
        List<TenantDevice> both = to == null || to == from ? List.of(from) : List.of(from, to);
        List<TenantDevice> full = both.stream().filter(device -> !device.isWhole(backing::hasRoom)).toList();
        return full.isEmpty() ? both : full;
    }

    /** Expels whoever has one of these slabs. */
    static void expel(Collection<Slab> cut, Collection<TenantDevice> devices) {
        devices.stream().filter(device -> !device.isWhole(slab -> !cut.contains(slab))).toList()
                .forEach(MissingMemory::expel);
    }

    private static void expel(TenantDevice device) {
        device.close(false);
        device.told().expelled("memory of device=" + device + " is gone");
    }
}
