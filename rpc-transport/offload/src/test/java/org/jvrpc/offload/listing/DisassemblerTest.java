package org.jvrpc.offload.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** What listings say of each kind of WR, of a program and of the bytes in its rings. */
final class DisassemblerTest {

    private final ChainRig rig = new ChainRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private final Place a = rig.word("a", 1);
    private final Place b = rig.word("b", 2);
    private final Place cell = rig.place("cell", 64, 8);
    private final ChainQueue worker = rig.worker("W", 32);
    private final ChainQueue conditional = rig.worker("R", 4);

    private Program program() {
        ProgramBuilder builder = new ProgramBuilder("verbs", rig.memory);
        WorkRequest action = builder.add(conditional, Wr.write(b, a).signalled().dormant());
        WorkRequest first = builder.add(worker, Wr.write(b, a).signalled());
        builder.add(worker, Wr.read(cell.slice(8, 16), cell.slice(0, 8), cell.slice(24, 8)));
        builder.add(worker, Wr.writeImmediate(7, cell.slice(1, 1), a.slice(7, 1)));
        builder.add(worker, Wr.fetchAndAdd(a, 5, b).fenced());
        builder.add(worker, Wr.compareAndSwap(a, 1, 0x20, b).fenced().signalled());
        builder.add(worker, Wr.maskedFetchAndAdd(a, 1, 8, b).comment("adds to one field"));
        builder.add(worker, Wr.turnOn(action, 7));
        builder.add(worker, Wr.nop());
        builder.add(worker, Wr.await(first));
        builder.add(worker, Wr.enable(action));
        builder.start(Wr.enableBlocks(worker, 12));
        return builder.build();
    }

    private static void assertListing(String expected, String listing) {
        assertEquals(expected.strip(), listing.lines().map(String::stripTrailing).collect(Collectors.joining("\n")));
    }

    @Test
    void eachVerbOfAProgramIsListed() {
        assertListing("""
                program verbs: 4C + 4A + 2E + 1

                queue  index  opcode       operands                       flags     changes
                R      0      NOP→WRITE    b:8 ← a:8                      CE
                W      0      WRITE        b:8 ← a:8                      CE
                W      1      READ         cell:8, cell+24:8 ← cell+8:16
                W      2      WRITE_IMM    cell+1:1 ← a+7:1
                W      3      FA           a:8 += 0x5                     FENCE
                W      4      CAS          a:8: 0x20 if 0x1               CE FENCE
                W      5      MASKED_FA    a:8 += 0x1 fields end at 0x8                         ; adds to one field
                W      6      CAS          R[0].image: NOP→WRITE if 0x7             R[0].image
                W      7      NOP
                W      8      WAIT         for W[0], pi=0
                W      9      SEND_ENABLE  to R[0], pi=1
                """, Disassembler.list(program()));
    }

    /** With the names of places where there are any, of which the shortest holds. */
    @Test
    void eachWqeOfARingIsListed() {
        Program program = program();
        program.load();
        Symbols symbols = Symbols.of(program);
        symbols.data("a", a.address(), 8);
        symbols.data("all", a.address(), 16);
        symbols.data("cell", cell.address(), 32);
        assertListing("""
                queue  index  opcode       operands                                          flags     changes
                W      0      WRITE        all+8 ← a:8                                       CE        all+8
                W      1      READ         cell:8, cell+24:8 ← cell+8                                  cell:8, cell+24:8
                W      2      WRITE_IMM    cell+1 ← a+7:1                                              cell+1
                W      3      FA           a: 0x5, 0x0                                       FENCE     a
                W      4      CAS          a: 0x20, 0x1                                      CE FENCE  a
                W      5      MASKED_FA    a: 0x1, 0x8                                                 a
                W      6      CAS          R[0].image: 0x3%02x000008000000, 0x307000000000000            R[0].image
                W      7      NOP          operand 0x70000%02x, ds=1
                W      8      WAIT         for CQ 3, pi=0
                W      9      SEND_ENABLE  to QP %d, pi=1
                """.formatted(conditional.number(), worker.number(), conditional.number()),
                Disassembler.list("W", worker.code().buffer(0, 32 * Wqe.BLOCK), symbols)
                        .replaceFirst("for CQ \\d+", "for CQ 3"));
    }

    @Test
    void messagesAreListedWithTheirPiecesOrAsInline() {
        ByteBuffer ring = ByteBuffer.allocate(2 * Wqe.BLOCK);
        ring.putLong(0, (long) Wqe.SEND << 32 | 2).putInt(16, 5 | Wqe.INLINE);
        ring.putLong(64, (long) Wqe.SEND << 32 | 3).putInt(80, 4).putLong(88, 0x1000).putInt(96, 8)
                .putLong(104, 0x2000);
        assertListing("""
                queue  index  opcode  operands            flags  changes
                Q      0      SEND    inline:5
                Q      1      SEND    0x1000:4, 0x2000:8
                """, Disassembler.list("Q", ring, new Symbols()));
    }
}
