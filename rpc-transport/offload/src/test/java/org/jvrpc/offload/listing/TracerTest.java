package org.jvrpc.offload.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.construct.Conditions;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** An execution as text, and a send ring as it lies in memory. */
final class TracerTest {

    @Test
    void aTraceShowsEachWqeAndWhatItChanged() {
        try (ChainRig rig = new ChainRig()) {
            ChainQueue worker = rig.worker("W", 4);
            ChainQueue answers = rig.worker("R", 1);
            Place result = rig.word("result", 0);
            ProgramBuilder builder = new ProgramBuilder("if", rig.memory);
            Place x = builder.constant("x", 0x2a);
            WorkRequest action = builder.add(
                    answers, Wr.write(result, builder.constant("one", 1)).dormant().signalled().comment("then"));
            Conditions.load(builder, worker, x.slice(2, 6), List.of(action));
            Conditions.ifEqual(builder, worker, null, action, 0x2a);
            builder.startAll(worker);
            Program program = builder.build();
            program.load();
            List<String> lines = new ArrayList<>();
            Tracer tracer = Tracer.attach(program, rig.chains, lines::add, result);
            rig.kick(program);
            tracer.close();
            rig.kick(program);
            String qpn = Integer.toHexString(answers.number());
            assertEquals(List.of(
                    "QP 0x" + Integer.toHexString(rig.master.number()) + "[0]",
                    "W[0] READ ; loads the operand",
                    "    R[0].qpn[2]: 00 → 2a",
                    "W[1] CAS",
                    "    R[0].opcode: 00 → 08",
                    "    R[0].qpn[2]: 2a → " + qpn,
                    "W[2] WAIT pi=0",
                    "W[3] SEND_ENABLE pi=1",
                    "R[0] WRITE ; then",
                    "    result+7: 00 → 01"), lines);
            String listing = Disassembler.list("W", worker.code().buffer(0, 4 * Wqe.BLOCK), Symbols.of(program));
            assertTrue(listing.contains("R[0].image"), listing);
            assertTrue(listing.contains("SEND_ENABLE  to QP " + answers.number() + ", pi=1"), listing);
            assertEquals(5, listing.lines().count(), listing);
        }
    }

    private static Program nops(ChainRig rig, ChainQueue queue, int count) {
        ProgramBuilder builder = new ProgramBuilder("nops", rig.memory);
        for (int i = 0; i < count; i++) {
            builder.add(queue, Wr.nop());
        }
        builder.startAll(queue);
        return builder.build();
    }

    private static List<String> trace(ChainRig rig, Program program, Place... data) {
        program.load();
        List<String> lines = new ArrayList<>();
        Tracer tracer = Tracer.attach(program, rig.chains, lines::add, data);
        rig.kick(program);
        tracer.close();
        assertTrue(lines.remove(0).startsWith("QP 0x"), "the kick");
        return lines;
    }

    /** The second program over both rings; the WQE that it turns on crosses the end of its ring. */
    @Test
    void aTraceShowsPlacesInTheRingOfWhatHasComeRound() {
        try (ChainRig rig = new ChainRig()) {
            ChainQueue worker = rig.worker("W", 4);
            ChainQueue answers = rig.worker("R", 4);
            rig.run(nops(rig, worker, 3));
            rig.run(nops(rig, answers, 3));
            ProgramBuilder builder = new ProgramBuilder("round", rig.memory);
            Place from = rig.place("from", 3, 8);
            WorkRequest read = builder.add(answers, Wr.read(from, rig.place("a", 1, 8), rig.place("b", 1, 8),
                    rig.place("c", 1, 8)));
            Place key = builder.constant("key", 0x0123_4567_89ab_cdefL);
            WorkRequest put = builder.add(worker, Wr.read(key, read.data(2, Field.DATA_ADDRESS)).signalled());
            builder.add(worker, Wr.await(put));
            builder.add(worker, Wr.enable(read));
            builder.startAll(worker);
            Program program = builder.build();
            String old = String.format("%016x", rig.data.address() + 24);
            assertEquals(List.of(
                    "W[3] READ",
                    "    R[3].data[2].address: " + old + " → 0123456789abcdef",
                    "W[0] (4) WAIT pi=0"), trace(rig, program).subList(0, 3));
        }
    }

    @Test
    void aTraceShowsChangesOfMemoryWordByWord() {
        try (ChainRig rig = new ChainRig()) {
            ChainQueue worker = rig.worker("W", 4);
            ChainQueue empty = rig.worker("R", 4);
            ProgramBuilder builder = new ProgramBuilder("words", rig.memory).over(empty);
            Place count = builder.variable("count", 8, 8);
            Place result = rig.place("result", 24, 8);
            Place from = rig.place("from", 16, 8);
            for (int i = 0; i < 16; i++) {
                rig.bytes.put(rig.at(from) + i, (byte) (i + 1));
            }
            builder.add(worker, Wr.write(result.slice(4, 16), from));
            builder.add(worker, Wr.write(Place.of(empty.code(), 2 * Wqe.BLOCK + 8, 4), from.slice(0, 4)));
            builder.add(worker, Wr.fetchAndAdd(count, 0x102, null));
            builder.startAll(worker);
            assertEquals(List.of(
                    "W[0] WRITE",
                    "    result+4: 00000000 → 01020304",
                    "    result+8: 0000000000000000 → 05060708090a0b0c",
                    "    result+16: 00000000 → 0d0e0f10",
                    "W[1] WRITE",
                    "    R[2]+8: 00000000 → 01020304",
                    "W[2] FA",
                    "    count+0: 0000 → 0201"), trace(rig, builder.build(), result));
        }
    }

    @Test
    void aTraceShowsQueuesThatHaveNoRingToLookAtByTheirWrs() {
        try (ChainRig rig = new ChainRig()) {
            ChainQueue worker = rig.worker("W", 1);
            ChainQueue unmanaged = rig.queue("U", 4, false);
            ProgramBuilder builder = new ProgramBuilder("unmanaged", rig.memory);
            WorkRequest first = builder.add(worker, Wr.nop().signalled());
            builder.add(unmanaged, Wr.await(first));
            builder.add(unmanaged, Wr.nop().comment("behind"));
            builder.startAll(worker);
            List<String> lines = trace(rig, builder.build());
            assertEquals(List.of("W[0] NOP", "U[0] WAIT", "U[1] NOP ; behind"), lines);
        }
    }
}
