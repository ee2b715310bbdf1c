package org.jvrpc.offload.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.ChainQueue;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Place;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.WorkRequest;
import org.jvrpc.offload.Wr;
import org.jvrpc.offload.construct.Conditions;

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
}
