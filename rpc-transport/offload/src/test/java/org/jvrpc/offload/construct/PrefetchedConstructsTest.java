package org.jvrpc.offload.construct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.Counts;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Constructs on a device whose managed queues fetch a WQE as soon as an ENABLE allows it. */
final class PrefetchedConstructsTest {

    private static final int SIZE = 8;

    private final ChainRig rig = new ChainRig(true);

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "7, true", "99, true", "3, false", "99, false"})
    void anUnrolledWhileFindsWhatItLooksForAndStops(int place, boolean breaks) {
        ChainQueue worker = rig.worker("W", 64);
        ChainQueue conditional = rig.worker("R", 16);
        Place result = rig.word("result", -1);
        ProgramBuilder program = new ProgramBuilder("while", rig.memory);
        List<Loops.Iteration> iterations = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            WorkRequest answer = Wr.write(result, program.constant("index", i));
            Loops.Iteration iteration = breaks ? Loops.breakable(program, conditional, answer)
                    : Loops.Iteration.of(program.add(conditional, answer.signalled().dormant()));
            iteration.found().dormant(1000 + i);
            iterations.add(iteration);
        }
        List<Construct> constructs = Loops.whileUnrolled(program, worker, null, iterations, 1000 + place);
        assertEquals(breaks ? new Counts(2, 1, 5, 0) : new Counts(1, 1, 3, 0), constructs.get(1).counts());
        program.startAll(worker);
        rig.run(program.build());
        assertEquals(place < SIZE ? place : -1, rig.get(result));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLoadThatIsNotInDoorbellOrderReadsFromAStaleAddress(boolean inOrder) {
        ChainQueue queue = rig.worker("W", 8);
        Place source = rig.word("source", 7);
        Place pointer = rig.word("pointer", source.address());
        Place to = rig.word("to", -1);
        ProgramBuilder program = new ProgramBuilder("load", rig.memory);
        if (inOrder) {
            assertEquals(new Counts(2, 0, 2, 0), Mov.load(program, queue, to, pointer, rig.data).counts());
        } else {
            WorkRequest read = Wr.read(rig.word("stale", 99), to);
            program.add(queue, Wr.read(pointer, read.field(Field.REMOTE_ADDRESS)));
            program.add(queue, read);
        }
        program.startAll(queue);
        rig.run(program.build(inOrder));
        assertEquals(inOrder ? 7 : 99, rig.get(to));
    }

    @Test
    void aWaitIsAskedForBeforeTheEnable() {
        ChainQueue queue = rig.worker("W", 8);
        ProgramBuilder program = new ProgramBuilder("in flight", rig.memory);
        WorkRequest read = Wr.read(rig.word("source", 0), rig.word("to", 0));
        program.add(queue, Wr.read(rig.word("pointer", 0), read.field(Field.REMOTE_ADDRESS)));
        program.add(queue, Wr.enableStage()); // a card may execute it while the READ is under way
        program.add(queue, read);
        program.startAll(queue);
        String message = assertThrows(OrderException.class, program::build).getMessage();
        assertTrue(message.contains("W[2] READ is changed (raddr) by W[0] READ, but W prefetches, and may do so when"
                + " W[1] SEND_ENABLE enables it: let a WAIT for W[0] READ come before that ENABLE"), message);
    }

    @Test
    void aStartThatWouldHaveTheProgramBeforePrefetchedIsRefused() {
        ChainQueue queue = rig.worker("W", 16);
        for (boolean first : new boolean[] {true, false}) {
            ProgramBuilder program = new ProgramBuilder("load", rig.pd.allocate(256, ChainRig.ALL));
            Mov.load(program, queue, rig.word("to", 0), rig.word("pointer", 0), rig.data);
            program.startAll(queue);
            if (first) {
                program.build();
            } else {
                String message = assertThrows(OrderException.class, program::build).getMessage();
                assertTrue(message.contains("a start enables W with the WRs that a program before has there"), message);
            }
        }
    }
}
