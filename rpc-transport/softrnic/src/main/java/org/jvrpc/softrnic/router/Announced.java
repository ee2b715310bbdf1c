package org.jvrpc.softrnic.router;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.SrqContext;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.softrnic.router.wire.SrqNote;
import org.jvrpc.verbs.VerbsException;

/**
 * What a device has said to its router that it has: slabs, regions, CQs, SRQs; said again to the next one. Guarded by
 * its host's monitor, but for {@link #remoteKey}.
 */
final class Announced {

    /** Of slabs: the router has the tenant's group, or enters the tenant's folder as nobody else does. */
    private static final int FILE_MODE = 0660;

    private final HostDevice device;
    private final Set<Integer> slabs = new TreeSet<>();
    private final Map<Integer, RegionNote> regions = new HashMap<>();
    private final Map<Integer, Cq> cqs = new HashMap<>();
    private final Map<Integer, SrqNote> srqs = new HashMap<>();
    private final Map<Integer, RouterChains> chains = new HashMap<>();
    /** What peers know keys by, by the places of the keys. Replaced, never shortened. */
    private volatile int[] remote = new int[64];

    Announced(HostDevice device) {
        this.device = device;
    }

    /** What sends a command and returns its answer, or throws. */
    interface Asker {
        ControlFrame ask(String operation, IntFunction<ControlFrame> command);
    }

    /** Returns what peers know a key by. Any thread. */
    int remoteKey(int key) {
        return remote[key >>> 8];
    }

    /** Has the router map the slab of an address, which lies in the device's arena. */
    void slabOf(Asker router, long address) {
        int segment = Slab.segmentOf(address);
        if (slabs.contains(segment)) {
            return;
        }
        Slab slab = device.arena().find(Slab.baseOf(segment), 1);
        if (slab == null) {
            throw new VerbsException("reg_mr", "memory of another device: address=0x" + Long.toHexString(address));
        }
        say(router, slab);
        slabs.add(segment);
    }

    private void say(Asker router, Slab slab) {
        int segment = Slab.segmentOf(slab.base());
        Path file = device.folder().resolve(Integer.toString(segment));
        try {
            Files.setAttribute(file, "unix:mode", FILE_MODE);
        } catch (IOException e) {
            throw new VerbsException("reg_mr", "mode of " + file + ": " + e, e);
        }
        SlabNote note = new SlabNote(segment, slab.length(), device.folder().getFileName().toString(), segment);
        router.ask("reg_mr", note::frame);
    }

    /** Tells the router of slabs that the arena has not any more. */
    void dropSlabs(Asker router) {
        for (Integer segment : Set.copyOf(slabs)) {
            if (device.arena().find(Slab.baseOf(segment), 1) == null) {
                router.ask("dereg_mr", id -> ControlFrame.of(Command.DROP_SLAB, id, segment));
                slabs.remove(segment);
            }
        }
    }

    void add(Asker router, RegionNote region) {
        slabOf(router, region.address());
        register(router, region);
        regions.put(region.lkey(), region);
    }

    private void register(Asker router, RegionNote region) {
        note(region.lkey(), router.ask("reg_mr", region::frame).object());
    }

    private void note(int key, int known) {
        int place = key >>> 8;
        int[] now = remote;
        if (place >= now.length) {
            now = Arrays.copyOf(now, Math.max(2 * now.length, place + 1));
        }
        now[place] = known;
        remote = now;
    }

    void remove(Asker router, int lkey) {
        if (regions.remove(lkey) != null) {
            router.ask("dereg_mr", id -> ControlFrame.of(Command.DEREGISTER, id, lkey));
        }
    }

    /** @param consumer tells how many completions were polled, or fewer */
    private record Cq(CqNote note, IntSupplier consumer) {

        /** Returns the note for a router that goes on where the one before ended: behind what was not polled yet. */
        CqNote now(Slab slab) {
            ByteBuffer memory = slab.window(note.address());
            int ring = Slab.index(note.address()) + CqContext.RING + note.cqeBytes() - Cqe.BYTES + Cqe.TAIL;
            int shift = Integer.numberOfTrailingZeros(note.entries());
            // More may have come to a cross-channel CQ than there is room for: who feeds it counts.
            int next = (note.flags() & CqNote.CROSS_CHANNEL) != 0
                    ? CqContext.produced(memory, Slab.index(note.address())) : consumer.getAsInt();
            for (int end = next + note.entries(); next != end; next++) {
                int at = ring + (next & note.entries() - 1) * note.cqeBytes();
                if (!Cqe.valid(BigEndian.getLongAcquire(memory, at), next >>> shift)) {
                    break;
                }
            }
            return note.after(next);
        }
    }

    void add(Asker router, CqNote note, IntSupplier consumer) {
        slabOf(router, note.address());
        router.ask("create_cq", note::frame);
        cqs.put(note.number(), new Cq(note, consumer));
    }

    boolean removeCq(int number) {
        return cqs.remove(number) != null;
    }

    void add(Asker router, SrqNote note) {
        slabOf(router, note.address());
        router.ask("create_srq", note::frame);
        srqs.put(note.number(), note);
    }

    boolean removeSrq(int number) {
        return srqs.remove(number) != null;
    }

    /** Returns the number of the SRQ at an address; 0 for none. */
    int srqAt(long address) {
        return srqs.values().stream().filter(note -> note.address() == address).mapToInt(SrqNote::number).findFirst()
                .orElse(0);
    }

    void add(Asker router, RouterChains made) {
        made.open(router);
        chains.put(made.pd(), made);
    }

    boolean removeChains(int pd) {
        return chains.remove(pd) != null;
    }

    /** Says all of it to another router. */
    void again(Asker router) {
        slabs.removeIf(segment -> device.arena().find(Slab.baseOf(segment), 1) == null);
        for (Integer segment : slabs) {
            say(router, device.arena().find(Slab.baseOf(segment), 1));
        }
        regions.values().forEach(region -> register(router, region));
        cqs.values().forEach(cq -> router.ask("create_cq",
                cq.now(device.arena().find(cq.note().address(), 1))::frame));
        srqs.values().forEach(note -> router.ask("create_srq", now(note)::frame));
        chains.values().forEach(each -> each.open(router));
    }

    /** Returns the note for a router that goes on where the one before ended: behind the last receive that it took. */
    private SrqNote now(SrqNote note) {
        ByteBuffer memory = device.arena().find(note.address(), 1).window(note.address());
        long state = SrqContext.survived(memory, Slab.index(note.address()), note.entries());
        return note.after(SrqContext.taken(state), SrqContext.next(state));
    }
}
