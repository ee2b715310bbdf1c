package org.jvrpc.router.engine;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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
    /** Files are being looked at, by others. */
    private boolean looks;
    /** QPs that go on once it is known whose memory is gone. */
    private final Set<TenantQp> held = new LinkedHashSet<>();
    /** What else came meanwhile; null: nothing. */
    private Suspicion next;

    /** Who goes when nobody has cut a file: the two tenants of what was at work; null: nobody. */
    private record Suspicion(TenantDevice from, TenantDevice to) {

        /** Returns nobody once one of them has ended: that it was its memory is as good a reason. */
        List<TenantDevice> both() {
            List<TenantDevice> both = Stream.of(from, to).filter(Objects::nonNull).distinct().toList();
            return both.stream().anyMatch(TenantDevice::hasEnded) ? List.of() : both;
        }
    }

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
     * again, as where its receiver's ring is what is gone. Whose files are at fault is known a little later, as nobody
     * waits here for a tenant's file system.
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
        boolean its = atWork || qp != null && !looks && isOneTooMany(qp);
        look(turn == null || !its ? new Suspicion(null, null) : new Suspicion(turn.device(),
                qp == null || qp.receiver() == null ? null : qp.receiver().device()));
        if (qp != null && !qp.isClosed()) {
            if (its) {
                qp.abandon();
                qp.disconnect(false);
            }
            if (its || !looks) {
                worker.ready(qp);
            } else {
                held.add(qp); // else it meets the same error again and again until somebody is known
            }
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

    /** Has the files looked at of all whose memory was touched of late, and judges by that. One look at a time. */
    private void look(Suspicion found) {
        if (looks) {
            next = next == null || found.from() != null ? found : next;
            return;
        }
        looks = true;
        Set<TenantDevice> all = recent.living();
        all.addAll(found.both());
        Map<TenantDevice, CompletableFuture<Backing.Memory>> looked = new LinkedHashMap<>();
        all.forEach(device -> looked.put(device, backing.look(device.slabs())));
        CompletableFuture<?> done = CompletableFuture.allOf(looked.values().toArray(CompletableFuture[]::new));
        if (done.isDone()) {
            judge(found, looked);
        } else {
            done.whenComplete((none, failure) -> worker.later(null, () -> judge(found, looked)));
        }
    }

    private void judge(Suspicion found, Map<TenantDevice, CompletableFuture<Backing.Memory>> looked) {
        looks = false;
        Map<TenantDevice, Backing.Memory> memory = new LinkedHashMap<>();
        looked.forEach((device, look) -> memory.put(device, look.isCompletedExceptionally() ? Backing.Memory.FULL
                : look.join()));
        memory.keySet().removeIf(TenantDevice::hasEnded);
        List<TenantDevice> guilty = those(memory.keySet(), memory, Backing.Memory.CUT);
        if (guilty.isEmpty()) {
            List<TenantDevice> full = those(found.both(), memory, Backing.Memory.FULL);
            guilty = full.isEmpty() ? found.both() : full;
        }
        guilty.forEach(MissingMemory::expel);
        held.forEach(worker::ready); // but for those that are closed now
        held.clear();
        Suspicion behind = next;
        next = null;
        if (behind != null) {
            look(behind);
        }
    }

    private static List<TenantDevice> those(Collection<TenantDevice> of, Map<TenantDevice, Backing.Memory> memory,
            Backing.Memory kind) {
        return of.stream().filter(device -> memory.get(device) == kind).toList();
    }

    /** Expels whoever has one of these slabs. */
    static void expel(Collection<Slab> cut, Collection<TenantDevice> devices) {
        devices.stream().filter(device -> device.slabs().stream().anyMatch(cut::contains)).toList()
                .forEach(MissingMemory::expel);
    }

    private static void expel(TenantDevice device) {
        device.close(false);
        device.told().expelled("memory of device=" + device + " is gone");
    }
}
