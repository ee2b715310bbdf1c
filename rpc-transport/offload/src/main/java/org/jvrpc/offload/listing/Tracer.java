package org.jvrpc.offload.listing;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.queue.Opcodes;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.Chains;
import org.jvrpc.verbs.WcStatus;

/**
 * Shows an execution WQE by WQE: where it lies, what it was when it ran, and what changed since the last: fields of
 * other WQEs, and memory that has a name. Sees what this process executes; what others change meanwhile shows with the
 * next WQE. The lines come on the executing thread.
 */
public final class Tracer implements ChainTracer, AutoCloseable {

    /** Memory that is looked at, and how it was. */
    private static final class Watched {
        final ChainQueue queue;
        final Place place;
        final ByteBuffer memory;
        final byte[] before;

        Watched(ChainQueue queue, Place place, ByteBuffer memory) {
            this.queue = queue;
            this.place = place;
            this.memory = memory;
            this.before = new byte[memory.limit()];
            memory.get(0, before);
        }
    }

    private final Program program;
    private final Chains chains;
    private final Consumer<String> lines;
    private final List<Watched> watched = new ArrayList<>();
    private String ran = "";

    private Tracer(Program program, Chains chains, Consumer<String> lines) {
        this.program = program;
        this.chains = chains;
        this.lines = lines;
    }

    /**
     * Begins to trace, after the program is loaded.
     *
     * @param data memory to look at besides the program's own, each with a name
     */
    public static Tracer attach(Program program, Chains chains, Consumer<String> lines, Place... data) {
        Tracer tracer = new Tracer(program, chains, lines);
        for (ChainQueue queue : program.queues()) {
            if (queue.code() != null) {
                tracer.watched.add(new Watched(
                        queue, null, queue.code().buffer(0, queue.blocks() * Wqe.BLOCK)));
            }
        }
        List<Place> places = new ArrayList<>(List.of(data));
        program.names().stream().filter(place -> !"scratch".equals(place.name())).forEach(places::add);
        for (Place place : places) {
            if (place.region() != null && place.name() != null) {
                long offset = place.address() - place.region().address();
                tracer.watched.add(new Watched(null, place, place.region().buffer(offset, place.length())));
            }
        }
        chains.trace(tracer);
        return tracer;
    }

    @Override
    public void before(int qpn, int index) {
        ChainQueue queue = queue(qpn);
        if (queue == null) {
            ran = "QP 0x" + Integer.toHexString(qpn) + "[" + index + "]";
            return;
        }
        int block = Math.floorMod(index, queue.blocks());
        ran = queue + "[" + block + "]" + (index < 0 || index >= queue.blocks() ? " (" + index + ")" : "");
        WorkRequest wr = Symbols.at(program.sends(queue), queue, block);
        if (queue.code() != null) {
            ByteBuffer wqe = queue.code().buffer((long) block * Wqe.BLOCK, Wqe.BLOCK);
            int word = BigEndian.getInt(wqe, 0);
            ran += " " + Opcodes.name(Wqe.opcode(word), Wqe.opmod(word)) + index(wqe, Wqe.opcode(word));
        } else if (wr != null) {
            ran += " " + wr.verb();
        }
        ran += wr == null || wr.comment().isEmpty() ? "" : " ; " + wr.comment();
    }

    private static String index(ByteBuffer wqe, int opcode) {
        boolean hasIndex = opcode == Wqe.WAIT || opcode == Wqe.SEND_ENABLE || opcode == Wqe.RECV_ENABLE;
        return hasIndex ? " pi=" + BigEndian.getInt(wqe, Wqe.INDEX) : "";
    }

    private ChainQueue queue(int qpn) {
        for (ChainQueue queue : program.queues()) {
            if (queue.number() == qpn) {
                return queue;
            }
        }
        return null;
    }

    @Override
    public void after(int qpn, int index, WcStatus status) {
        lines.accept(ran + (status == WcStatus.SUCCESS ? "" : " " + status));
        for (Watched one : watched) {
            report(one);
        }
    }

    private void report(Watched one) {
        int at = 0;
        while (at < one.before.length) {
            if (one.memory.get(at) == one.before[at]) {
                at++;
                continue;
            }
            int from = at;
            // Fields of WQEs do not cross multiples of 8; what is changed side by side there is one change.
            while (at < one.before.length && one.memory.get(at) != one.before[at] && (at == from || at % 8 != 0)) {
                at++;
            }
            lines.accept("    " + name(one, from, at - from) + ": " + hex(one.before, from, at) + " → "
                    + change(one, from, at));
        }
    }

    private static String change(Watched one, int from, int to) {
        one.memory.get(from, one.before, from, to - from);
        return hex(one.before, from, to);
    }

    private static String hex(byte[] bytes, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(Character.forDigit(bytes[i] >> 4 & 15, 16)).append(Character.forDigit(bytes[i] & 15, 16));
        }
        return text.toString();
    }

    private String name(Watched one, int from, int length) {
        if (one.queue == null) {
            return one.place.name() + (one.before.length == length ? "" : "+" + from);
        }
        int block = from / Wqe.BLOCK;
        WorkRequest wr = Symbols.at(program.sends(one.queue), one.queue, block);
        if (wr == null) {
            return one.queue + "[" + block + "]+" + from % Wqe.BLOCK;
        }
        int inWqe = Math.floorMod(from - wr.block() % one.queue.blocks() * Wqe.BLOCK, one.before.length);
        return wr.where() + "." + Field.nameOf(wr.opcode(), inWqe, length);
    }

    /** Ends tracing. */
    @Override
    public void close() {
        chains.trace(null);
    }
}
