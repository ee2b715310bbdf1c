package org.jvrpc.offload.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jvrpc.interleavings.Places;
import org.jvrpc.softrnic.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A chunk is used for a later answer while it is read: a copy is of one of them, or is known not to be. */
@JCStressTest
@Outcome(id = {"[012], [012]"}, expect = Expect.ACCEPTABLE, desc = "an answer, or none")
@Outcome(expect = Expect.FORBIDDEN, desc = "a mixture of two answers is taken for one")
@State
public class MethodChunkStress {

    private static final int ARGUMENT = 8;
    private static final int RESULT = 24;
    private static final int BYTES = (int) MethodChunk.bytes(ARGUMENT, RESULT);
    private static final Places PLACES = new Places(BYTES);
    private static final ByteBuffer ARGUMENTS = filled(ARGUMENT, 7);
    private static final MethodAnswer[] ANSWERS = {null, answer(1), answer(2)};

    private final ByteBuffer memory = PLACES.memory();
    private final int at = Slab.index(PLACES.take());
    private final ByteBuffer written = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C owners = new CRC32C();
    private final CRC32C readers = new CRC32C();

    /** It has an answer. */
    public MethodChunkStress() {
        write(1);
    }

    private static ByteBuffer filled(int bytes, int value) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < bytes; i += Long.BYTES) {
            buffer.putLong(i, value);
        }
        return buffer;
    }

    private static MethodAnswer answer(int value) {
        return new MethodAnswer(ARGUMENTS, 0, ARGUMENT, filled(RESULT, value), 0, RESULT, 0);
    }

    private void write(int number) {
        MethodChunk.write(written, at, ANSWERS[number], number, owners);
        MethodChunk.live(written, at, true);
    }

    /** Returns which answer a copy has, 0 for none, -1 for words of several. */
    private int judge(ByteBuffer copy) {
        if (!MethodChunk.answers(copy, ARGUMENTS, 0, ARGUMENT, readers)) {
            return 0;
        }
        int result = MethodChunk.resultAt(copy);
        long value = copy.getLong(result);
        for (int i = 0; i < RESULT; i += Long.BYTES) {
            if (copy.getLong(result + i) != value) {
                return -1;
            }
        }
        return (int) value;
    }

    /** Writes another answer for the same arguments. */
    @Actor
    public void owner() {
        MethodChunk.live(written, at, false);
        write(2);
    }

    /** Sets r1 and r2 to the answers in two copies. */
    @Actor
    public void reader(II_Result result) {
        result.r1 = judge(Copies.forwards(memory, at, BYTES));
        result.r2 = judge(Copies.backwards(memory, at, BYTES));
    }
}
