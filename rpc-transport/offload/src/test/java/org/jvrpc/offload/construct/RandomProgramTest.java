package org.jvrpc.offload.construct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Recycler;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Random programs over if, while and mov leave the memory that an interpreter leaves. */
final class RandomProgramTest {

    private static final int PROGRAMS = Integer.getInteger("jvrpc.offload.programs", 60);
    private static final int MAX_LOOPS = 3;

    private static long seed() {
        return Long.getLong("jvrpc.seed", System.nanoTime());
    }

    private static long[] values(RandomCode code, int count) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = code.value();
        }
        return values;
    }

    @Test
    void straightProgramsWithIfsAndUnrolledLoopsLeaveTheInterpretersMemory() {
        long seed = seed();
        System.out.println("random programs: seed=" + seed);
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < PROGRAMS; i++) {
            long one = seeds.nextLong();
            SplittableRandom random = new SplittableRandom(one);
            RandomCode code = new RandomCode(random);
            List<RandomCode.Statement> statements = new ArrayList<>();
            int loops = random.nextInt(MAX_LOOPS + 1);
            for (int loop = 0; loop < loops; loop++) {
                statements.addAll(code.statements(random.nextInt(5)));
                statements.add(code.loop());
            }
            statements.addAll(code.statements(1 + random.nextInt(10)));
            runStraight(code, statements, false, "seed=" + seed + " program=" + i + " of seed=" + one);
        }
    }

    @Test
    void straightProgramsWithoutLoopsAreRightOnADeviceThatPrefetches() {
        long seed = seed();
        System.out.println("random programs, prefetched: seed=" + seed);
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < PROGRAMS; i++) {
            long one = seeds.nextLong();
            RandomCode code = new RandomCode(new SplittableRandom(one));
            runStraight(code, code.statements(10), true, "seed=" + seed + " program=" + i + " of seed=" + one);
        }
    }

    private static void runStraight(
            RandomCode code, List<RandomCode.Statement> statements, boolean prefetching, String where) {
        long[] variables = values(code, RandomCode.VARIABLES + 2);
        long[] array = values(code, RandomCode.ARRAY);
        try (ChainRig rig = new ChainRig(prefetching)) {
            ProgramBuilder builder = new ProgramBuilder("random", rig.memory);
            CodeCompiler compiler = new CodeCompiler(rig, builder, false);
            ChainQueue worker = rig.worker("W0", 512);
            compiler.over(worker, rig.worker("R0", 128));
            WorkRequest firstEnd = compiler.end();
            compiler.compile(statements);
            compiler.finish();
            builder.start(Wr.enable(prefetching ? builder.endOfFirstStage(worker) : firstEnd));
            Program program = builder.build();
            compiler.store(variables, array);
            rig.run(program);
            statements.forEach(statement -> statement.run(variables, array));
            compare(compiler, variables, array, where + "\n" + statements);
        }
    }

    private static void compare(CodeCompiler compiler, long[] variables, long[] array, String message) {
        assertArrayEquals(variables, compiler.variables(), message);
        assertArrayEquals(array, compiler.array(), message);
    }

    @Test
    void recycledLoopsLeaveTheInterpretersMemory() {
        long seed = seed();
        System.out.println("random recycled loops: seed=" + seed);
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < PROGRAMS; i++) {
            long one = seeds.nextLong();
            SplittableRandom random = new SplittableRandom(one);
            RandomCode code = new RandomCode(random);
            runRecycled(code, code.statements(1 + random.nextInt(5)), 1 + random.nextInt(40),
                    "seed=" + seed + " loop=" + i + " of seed=" + one);
        }
    }

    private static void runRecycled(
            RandomCode code, List<RandomCode.Statement> statements, int laps, String where) {
        long[] variables = values(code, RandomCode.VARIABLES + 2);
        variables[RandomCode.COUNTER] = 0;
        variables[RandomCode.LIMIT] = laps;
        long[] array = values(code, RandomCode.ARRAY);
        try (ChainRig rig = new ChainRig()) {
            ProgramBuilder builder = new ProgramBuilder("random loop", rig.memory);
            CodeCompiler compiler = new CodeCompiler(rig, builder, true);
            ChainQueue worker = rig.worker("W", 128);
            compiler.over(worker, rig.worker("R", 8));
            Recycler recycler = builder.recycle();
            Place done = rig.word("done", 0);
            compiler.compile(statements);
            compiler.count(RandomCode.COUNTER, 1);
            compiler.breakIfEqual(RandomCode.COUNTER, RandomCode.LIMIT, Wr.write(done, builder.constant("one", 1)));
            recycler.updateHere(worker);
            builder.add(worker, Wr.enableNextLap(worker));
            builder.start(Wr.enableLap(worker));
            Program program = builder.build();
            compiler.store(variables, array);
            rig.run(program);
            for (int lap = 0; lap < laps; lap++) {
                statements.forEach(statement -> statement.run(variables, array));
                variables[RandomCode.COUNTER]++;
            }
            assertEquals(1, rig.get(done), where);
            compare(compiler, variables, array, where + "\n" + statements);
        }
    }
}
