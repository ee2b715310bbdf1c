package org.jvrpc.offload.listing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Recycler;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.construct.Conditions;
import org.jvrpc.offload.construct.Construct;
import org.jvrpc.offload.construct.Loops;
import org.jvrpc.offload.construct.TuringMachine;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.LookupSketch;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;
import org.jvrpc.verbs.MemoryRegion;

/** The programs that come with the project, over queues of no device: what listings and pictures are made of. */
public final class ShippedPrograms {

    /**
     * One of them.
     *
     * @param name of its files: lower case, with hyphens
     * @param title what it does, a line
     * @param writer makes it over the queues of an empty sketch
     */
    public record Shipped(String name, String title, Function<Sketch, Program> writer) {

        /** Makes it, with the same bytes each time, for a device that fetches a WQE when it executes it. */
        public Program program() {
            return writer.apply(new Sketch());
        }

        /**
         * Makes it for a device that fetches as soon as an ENABLE allows it.
         *
         * @throws org.jvrpc.offload.wr.OrderException when it cannot be made for one
         */
        public Program prefetched() {
            return writer.apply(new Sketch(true));
        }
    }

    private static final int MEMORY = 8192;
    private static final int ITERATIONS = 3;

    private ShippedPrograms() {
    }

    /** Returns all, in the order in which they are explained. */
    public static List<Shipped> all() {
        return List.of(
                new Shipped("if", "if (x == 42) write 1, x from the message", ShippedPrograms::ifEqual),
                new Shipped("if-wide", "if (x == y), 64 bits, by two compare-and-swaps", ShippedPrograms::ifWide),
                new Shipped("while-unrolled", "array search, all iterations", sketch -> unrolled(sketch, false)),
                new Shipped("while-break", "array search, which ends at its break", sketch -> unrolled(sketch, true)),
                new Shipped("while-recycled", "list walk that enables itself, with a break", ShippedPrograms::recycled),
                new Shipped("turing-machine", "a Turing machine, one step a lap", ShippedPrograms::turing),
                lookup("hash-get", "two buckets, one after the other", LookupKind.HASH_GET),
                lookup("hash-get-parallel", "two buckets, each by a queue of its own", LookupKind.HASH_GET_PARALLEL),
                lookup("list-walk", "a list of 8 nodes, all of them", LookupKind.LIST_WALK),
                lookup("list-walk-break", "a list of 8 nodes, up to the key's", LookupKind.LIST_WALK_BREAK),
                lookup("array-search", "8 keys side by side, up to the one sought", LookupKind.ARRAY_SEARCH));
    }

    private static Shipped lookup(String name, String title, LookupKind kind) {
        return new Shipped(name, title, sketch -> LookupSketch.of(kind, sketch));
    }

    private static Program ifEqual(Sketch sketch) {
        ChainQueue worker = sketch.managed("W", 4);
        ChainQueue answers = sketch.managed("R", 1);
        ChainQueue client = sketch.managed("T", 1).receives(1, false);
        Place result = Place.of(sketch.memory(8), 0, 8, "result");
        ProgramBuilder builder = new ProgramBuilder("if", sketch.memory(MEMORY)).over(client, worker);
        WorkRequest action = builder.add(
                answers, Wr.write(result, builder.constant("one", 1)).signalled().dormant().comment("then"));
        WorkRequest trigger = builder.add(
                client, Wr.trigger(action.operand().get(0), action.operand().get(1)).comment("brings x"));
        Construct construct = Conditions.ifEqual(builder, worker, trigger, action, 42);
        builder.start(Wr.enable(construct.wrs().get(3)));
        return builder.build();
    }

    private static Program ifWide(Sketch sketch) {
        ChainQueue worker = sketch.managed("W", 8);
        ChainQueue conditional = sketch.managed("R", 2);
        ChainQueue client = sketch.managed("T", 1).receives(1, false);
        Place result = Place.of(sketch.memory(8), 0, 8, "result");
        ProgramBuilder builder = new ProgramBuilder("if-wide", sketch.memory(MEMORY)).over(client, worker);
        Place x = builder.variable("x", 8, 8);
        WorkRequest action = Wr.write(result, builder.constant("one", 1)).signalled().comment("then").dormant();
        WorkRequest trigger = builder.add(client, Wr.trigger(x).comment("brings x"));
        builder.add(worker, Wr.await(trigger));
        WorkRequest load = Wr.read(x).comment("loads the operands");
        builder.add(worker, load);
        byte[] expected = {1, 2, 3, 4, 5, 6, 7, 8};
        Construct construct = Conditions.ifEqual(builder, worker, conditional, null, action, expected);
        List<Place> first = construct.operands().get(0).operand();
        load.more(first.get(0), first.get(1), construct.operands().get(1).operand().get(0).slice(0, 2));
        builder.startAll(worker);
        return builder.build();
    }

    private static Program unrolled(Sketch sketch, boolean breaks) {
        ChainQueue worker = sketch.managed("W", sketch.prefetches() ? 32 : 16);
        ChainQueue conditional = sketch.managed("R", 8);
        Place result = Place.of(sketch.memory(8), 0, 8, "result");
        MemoryRegion array = sketch.memory(256);
        String name = breaks ? "while-break" : "while-unrolled";
        ProgramBuilder builder = new ProgramBuilder(name, sketch.memory(MEMORY)).over(worker);
        List<Loops.Iteration> iterations = new ArrayList<>();
        for (int i = 0; i < ITERATIONS; i++) {
            WorkRequest answer = Wr.write(result, builder.constant("" + i, i)).comment("found at " + i);
            Loops.Iteration iteration = breaks ? Loops.breakable(builder, conditional, answer)
                    : Loops.Iteration.of(builder.add(conditional, answer.signalled().dormant()));
            builder.add(worker, Wr.read(Place.of(array, 8L * i, 8, "array+" + 8 * i),
                    iteration.found().field(Field.IMAGE)).comment("x of " + i));
            iterations.add(iteration);
        }
        Loops.whileUnrolled(builder, worker, null, iterations, 42);
        builder.startAll(worker);
        return builder.build();
    }

    private static Program recycled(Sketch sketch) {
        ChainQueue worker = sketch.managed("W", sketch.prefetches() ? 32 : 16);
        ChainQueue conditional = sketch.managed("R", 2);
        Place result = Place.of(sketch.memory(8), 0, 8, "result");
        Place node = Place.of(sketch.memory(64), 0, 24, "first node");
        ProgramBuilder builder = new ProgramBuilder("while-recycled", sketch.memory(MEMORY)).over(worker);
        Recycler recycler = builder.recycle();
        Place value = builder.variable("value", 8, 8);
        Loops.Iteration iteration = Loops.breakable(builder, conditional, Wr.write(result, value).comment("found"));
        WorkRequest fetch = Wr.read(node).comment("key, value, next");
        fetch.more(iteration.found().field(Field.IMAGE), value, fetch.field(Field.REMOTE_ADDRESS));
        Loops.whileRecycled(builder, recycler, worker, List.of(fetch), iteration, 42);
        builder.start(Wr.enableLap(worker));
        return builder.build();
    }

    private static Program turing(Sketch sketch) {
        Place tape = Place.of(sketch.memory(64), 0, 64, "tape");
        ProgramBuilder builder = new ProgramBuilder("turing-machine", sketch.memory(MEMORY));
        TuringMachine.Rule[][] rules = {{new TuringMachine.Rule(1, 1, 0), new TuringMachine.Rule(1, 1, -1)}};
        TuringMachine.add(builder, sketch.managed("W", 16), sketch.managed("R", 1), rules, 0, tape, 32);
        return builder.build();
    }
}
