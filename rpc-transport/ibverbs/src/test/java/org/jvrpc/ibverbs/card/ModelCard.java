package org.jvrpc.ibverbs.card;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Native;

/**
 * A card, as far as its memory is concerned: takes doorbells from registers, reads doorbell records and WQEs, moves
 * data, writes CQEs and events, on a thread of its own, and on those that look for the device's events. Written from
 * rdma-core and the reference, not from the driver under test, whose constants it does not share. Everything under
 * {@link #WORLD}, the lock of all cards.
 */
final class ModelCard {

    static final Object WORLD = new Object();
    private static Thread thread;
    private static final List<ModelCard> CARDS = new ArrayList<>();
    private static final AtomicInteger SERIAL = new AtomicInteger();
    /** How long the cards' own thread pauses: short for a test that has nobody else run them. */
    static volatile long pauseNs = 50_000;
    private static final long STEP_NS = 3_000;
    private static volatile long steppedNs = System.nanoTime();
    private static final int BLUE_FLAME = 0x800;
    private static final int BLUE_FLAME_BYTES = 256;
    private static final int ARM = 0x20;

    final byte[] gid = new byte[16];
    final ModelMemory cqPage = ModelMemory.pages(4096);
    final Map<Long, ModelCq> cqs = new HashMap<>();
    final Map<Long, ModelQp> qps = new HashMap<>();
    /** Those that are not in RESET. */
    final Set<ModelQp> live = new LinkedHashSet<>();
    final Map<Long, ModelSrq> srqs = new HashMap<>();
    final Map<Integer, Region> regions = new HashMap<>();
    final List<ModelMemory> registers = new ArrayList<>();
    final ModelChannel asyncChannel = new ModelChannel();
    final List<long[]> asyncEvents = new ArrayList<>();
    /** Objects that live share registers, as those of cards that have none left. */
    boolean sharesRegisters;
    /** Faults that the model found in what the driver wrote. */
    final List<String> faults = new ArrayList<>();
    private int next = 1;

    /** Registered memory. */
    record Region(Native handle, long pd, long address, long length, int access, int key) {
    }

    ModelCard() {
        gid[10] = -1;
        gid[11] = -1;
        gid[12] = 10;
        int serial = SERIAL.incrementAndGet();
        gid[14] = (byte) (serial >> 8);
        gid[15] = (byte) serial;
    }

    static int roundUp(int value) {
        return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
    }

    int nextNumber() {
        return next++;
    }

    void plugIn() {
        synchronized (WORLD) {
            if (thread == null) {
                thread = new Thread(ModelCard::run, "model cards");
                thread.setDaemon(true);
                thread.start();
            }
            CARDS.add(this);
        }
    }

    /** Has the card look at its memory no more, so that a test sees what the driver wrote. */
    void freeze() {
        synchronized (WORLD) {
            CARDS.remove(this);
        }
    }

    void unplug() {
        synchronized (WORLD) {
            CARDS.remove(this);
        }
        asyncChannel.close();
    }

    private static void run() {
        while (true) {
            synchronized (WORLD) {
                if (CARDS.isEmpty()) {
                    thread = null;
                    return;
                }
                stepAll();
            }
            LockSupport.parkNanos(pauseNs);
        }
    }

    /** Returns true when the cards did not look at their memory just now. */
    static boolean isDue() {
        return System.nanoTime() - steppedNs > STEP_NS;
    }

    /** Lets all cards look at their memory once. */
    static void stepAll() {
        steppedNs = System.nanoTime();
        for (ModelCard card : CARDS) {
            card.step();
        }
    }

    /** A register for a new QP: two BlueFlame buffers. */
    ModelMemory register() {
        if (!sharesRegisters || registers.isEmpty()) {
            registers.add(ModelMemory.pages(4096));
        }
        return ModelMemory.at(registers.get(registers.size() - 1).address() + BLUE_FLAME, 2 * BLUE_FLAME_BYTES);
    }

    static int registerBytes() {
        return BLUE_FLAME_BYTES;
    }

    private void step() {
        boolean rung = false;
        for (ModelQp qp : live) {
            rung |= takeDoorbell(qp.register, 0) | takeDoorbell(qp.register, BLUE_FLAME_BYTES);
        }
        for (ModelQp qp : live) {
            if (rung || qp.againNs != 0) {
                ModelEngine.run(qp);
            }
            ModelEngine.flushReceives(qp);
        }
        if (cqPage.take(ARM) != 0 || cqPage.take(ARM) != 0) {
            cqs.values().forEach(ModelCq::lookAtArming);
        }
    }

    /** Checks a doorbell against the record and the ring; what was stored in parts is looked at again. */
    private boolean takeDoorbell(ModelMemory register, int offset) {
        if (register.getLong(offset) == 0) {
            return false;
        }
        long control = register.take(offset);
        int index = (int) (control >>> 40) & 0xffff;
        int qpn = (int) (control >>> 8) & 0xffffff;
        int blocks = ((int) control & 0x3f) + 3 >> 2;
        for (ModelQp qp : live) {
            if (qp.number == qpn && qp.state != Ibv.QPS_RESET) {
                int behind = qp.record.getInt(4) - (index + blocks) & 0xffff;
                if (behind >= 0x8000) {
                    faults.add("doorbell before its record: index=" + index + " blocks=" + blocks + " record="
                            + qp.record.getInt(4) + " qpn=" + qpn);
                }
                if (behind == 0 && qp.sends.getLong((index & qp.sendBlocks - 1) * 64) != control) {
                    faults.add("doorbell is not the WQE: " + Long.toHexString(control) + " qpn=" + qpn);
                }
            }
        }
        return true;
    }

    /** Finds a QP of any card. */
    static ModelQp find(byte[] gid, int number) {
        for (ModelCard card : CARDS) {
            if (Arrays.equals(card.gid, gid)) {
                for (ModelQp qp : card.qps.values()) {
                    if (qp.number == number) {
                        return qp;
                    }
                }
            }
        }
        return null;
    }

    /** Returns memory that a key allows, or null. */
    ModelMemory memory(long pd, int key, long address, long length, int access) {
        Region region = regions.get(key);
        long offset = region == null ? 0 : address - region.address;
        boolean allowed = region != null && region.pd == pd && (region.access & access) == access
                && offset >= 0 && length >= 0 && offset <= region.length - length;
        return allowed ? ModelMemory.at(address, (int) length) : null;
    }

    void asyncEvent(int type, long element) {
        asyncEvents.add(new long[] {type, element});
        asyncChannel.event(type);
    }

    /** A CQ lost a completion: it is dead, and its QPs are in ERR. */
    void overran(ModelCq cq) {
        asyncEvent(0, cq.handle.address());
        for (ModelQp qp : qps.values()) {
            if (qp.sendCq == cq || qp.receiveCq == cq) {
                qp.state = Ibv.QPS_ERR;
            }
        }
    }
}
