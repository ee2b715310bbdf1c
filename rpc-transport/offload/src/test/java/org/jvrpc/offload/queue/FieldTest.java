package org.jvrpc.offload.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Which fields WQEs have, and what bytes of theirs are called. */
final class FieldTest {

    private static final Set<Field> CTRL = EnumSet.of(Field.IMAGE, Field.OPMOD, Field.INDEX, Field.OPCODE, Field.QPN,
            Field.DS, Field.FLAGS, Field.IMMEDIATE, Field.CTRL);
    private static final Set<Field> REMOTE = EnumSet.of(Field.HEAD, Field.REMOTE_ADDRESS, Field.RKEY);
    private static final Set<Field> DATA = EnumSet.of(Field.DATA_LENGTH, Field.DATA_LKEY, Field.DATA_ADDRESS);

    private final Place word = Place.of(new Sketch().memory(64), 0, 8, "word");

    private static boolean isRefused(Runnable body) {
        try {
            body.run();
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    @SafeVarargs
    private static void assertFields(WorkRequest wr, Set<Field>... sets) {
        Set<Field> expected = EnumSet.copyOf(CTRL);
        for (Set<Field> set : sets) {
            expected.addAll(set);
        }
        Set<Field> found = EnumSet.noneOf(Field.class);
        for (Field field : Field.values()) {
            if (!isRefused(() -> wr.field(field)) || !isRefused(() -> wr.data(0, field))) {
                found.add(field);
            }
        }
        assertEquals(expected, found, wr.verb());
    }

    @Test
    void eachVerbHasItsFields() {
        assertFields(Wr.nop());
        assertFields(Wr.send(word), DATA);
        assertFields(Wr.write(word, word), REMOTE, DATA);
        assertFields(Wr.read(word, word), REMOTE, DATA);
        assertFields(Wr.fetchAndAdd(word, 1, word), REMOTE, DATA, EnumSet.of(Field.SWAP_OR_ADD));
        assertFields(Wr.maskedFetchAndAdd(word, 1, 1, word), REMOTE, DATA,
                EnumSet.of(Field.SWAP_OR_ADD, Field.BOUNDARY));
        assertFields(Wr.compareAndSwap(word, 1, 1, word), REMOTE, DATA, EnumSet.of(Field.SWAP_OR_ADD, Field.COMPARE));
        assertFields(Wr.maskedCompareAndSwap(word, 1, 1, 1, 1, word), REMOTE, DATA,
                EnumSet.of(Field.SWAP_OR_ADD, Field.COMPARE, Field.SWAP_MASK, Field.COMPARE_MASK));
        for (WorkRequest order : List.of(Wr.await(Wr.nop()), Wr.enable(Wr.nop()), Wr.enable(Wr.trigger(word)))) {
            assertFields(order, EnumSet.of(Field.PRODUCER_INDEX, Field.OBJECT));
        }
    }

    @Test
    void aPieceOfAFieldIsNamedByItsBytes() {
        List<String> names = new ArrayList<>();
        int data = Wqe.dataOffset(Wqe.RDMA_WRITE);
        for (int[] piece : new int[][] {{0, 8}, {4, 3}, {5, 1}, {5, 2}, {0, 12}, {16, 8}, {21, 3}, {data + 8, 8},
            {data + 16 + 8, 8}, {data + 32 + 13, 3}, {data + 32 + 5, 1}}) {
            names.add(Field.nameOf(Wqe.RDMA_WRITE, piece[0], piece[1]));
        }
        assertEquals(List.of("image", "qpn", "qpn[1]", "qpn[1..2]", "ctrl", "raddr", "raddr[5..7]", "data[0].address",
                "data[1].address", "data[2].address[5..7]", "data[2].lkey[1]"), names);
    }

    @Test
    void bytesOfNoFieldAreNumbered() {
        assertEquals("bytes[60..67]", Field.nameOf(Wqe.RDMA_WRITE, 60, 8));
        assertEquals("bytes[16..23]", Field.nameOf(Wqe.NOP, 16, 8));
    }
}
