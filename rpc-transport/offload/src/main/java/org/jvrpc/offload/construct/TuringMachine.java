package org.jvrpc.offload.construct;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Recycler;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/**
 * A Turing machine as a recycled program: a lap is a step. Its table lies in memory, a page of 256 bytes for each state
 * with an entry of 16 bytes for each symbol; a cell of the tape is a byte, 16 times its symbol, so that a READ of the
 * cell into the last byte of the next READ's address selects the entry. That READ hands the entry out: what to write,
 * by how much the head moves, which page the next lap reads, and whether there is a next lap: the opcode of the ENABLE
 * that lets it run.
 *
 * <pre>
 * entry  0 cell to write:8 | 1 move of the head:24, signed | 4 page of the next state, its highest 7 bytes:56
 *        | 11 opcode, SEND_ENABLE or NOP:8 | 12 zero:32
 * </pre>
 * Not for queues that prefetch, where it is refused: the entry chooses what the update adds to the head's address, so
 * that the update cannot be where the lap begins.
 */
public final class TuringMachine {

    /** As the next state: no next step. */
    public static final int HALT = -1;
    /** Symbols that a machine may have. */
    public static final int MAX_SYMBOLS = 16;
    private static final int ENTRY = 16;
    private static final int ENTRY_BYTES = 12;
    private static final int PAGE = 256;
    private static final int HEAD_BYTES = 3;

    /**
     * What to do for a state and a symbol.
     *
     * @param write the symbol
     * @param move -1, 0 or 1 cell
     * @param next state, or {@link #HALT}
     */
    public record Rule(int write, int move, int next) {
    }

    private final WorkRequest readEntry;
    private final WorkRequest writeCell;

    private TuringMachine(WorkRequest readEntry, WorkRequest writeCell) {
        this.readEntry = readEntry;
        this.writeCell = writeCell;
    }

    /**
     * Adds the machine to a program, whose kick starts it.
     *
     * @param queue managed, of 16 blocks
     * @param control managed, of 1 block: holds the ENABLE of the next step
     * @param rules by state, then symbol
     * @param tape whose cells hold 16 times their symbol; all in one 16 MiB of addresses
     * @param head cell where the head is, from 0
     */
    public static TuringMachine add(
            ProgramBuilder program,
            ChainQueue queue,
            ChainQueue control,
            Rule[][] rules,
            int initial,
            Place tape,
            int head) {
        check(rules, tape, head);
        Place[] pages = pages(program, rules);
        Recycler recycler = program.recycle();
        Place cell = program.variable("new cell", 1, 1);
        WorkRequest goOn = Wr.enableNextLap(queue).comment("the next step, unless the machine halts");
        WorkRequest readEntry = Wr.read(pages[initial].slice(0, ENTRY_BYTES)).signalled().comment("what to do");
        Place page = readEntry.field(Field.REMOTE_ADDRESS);
        WorkRequest readCell = Wr.read(tape.slice(head, 1), page.slice(7, 1)).comment("the cell selects the entry");
        WorkRequest writeCell = Wr.write(tape.slice(head, 1), cell).comment("writes the cell");
        Place move = recycler.cursor(
                HEAD_BYTES, tape.slice(head, 1).address(), 0, low(readCell), low(writeCell));
        readEntry.more(cell, move, page.slice(0, 7), goOn.field(Field.OPCODE));
        program.add(queue, readCell);
        program.add(queue, readEntry);
        program.add(queue, Wr.await(readEntry));
        recycler.updateHere(queue);
        program.add(queue, writeCell);
        program.add(control, goOn);
        program.add(queue, Wr.enable(goOn));
        program.start(Wr.enableLap(queue));
        return new TuringMachine(readEntry, writeCell);
    }

    private static Place low(WorkRequest wr) {
        return wr.field(Field.REMOTE_ADDRESS).slice(8 - HEAD_BYTES, HEAD_BYTES);
    }

    private static void check(Rule[][] rules, Place tape, int head) {
        if (head < 0 || head >= tape.length()) {
            throw new IndexOutOfBoundsException("head=" + head + " cells=" + tape.length());
        }
        if (tape.address() >>> 8 * HEAD_BYTES != tape.address() + tape.length() - 1 >>> 8 * HEAD_BYTES) {
            throw new IllegalArgumentException("the tape crosses a multiple of 16 MiB: " + tape);
        }
        for (int state = 0; state < rules.length; state++) {
            if (rules[state].length > MAX_SYMBOLS) {
                throw new IllegalArgumentException("symbols=" + rules[state].length + " most=" + MAX_SYMBOLS);
            }
            for (Rule rule : rules[state]) {
                if (rule.write < 0 || rule.write >= rules[state].length || rule.move < -1 || rule.move > 1
                        || rule.next < HALT || rule.next >= rules.length) {
                    throw new IllegalArgumentException("state=" + state + " " + rule);
                }
            }
        }
    }

    private static Place[] pages(ProgramBuilder program, Rule[][] rules) {
        Place[] pages = new Place[rules.length];
        for (int state = 0; state < rules.length; state++) {
            Rule[] row = rules[state];
            pages[state] = program.lateConstant("state " + state, PAGE, PAGE, () -> page(row, pages));
        }
        return pages;
    }

    private static byte[] page(Rule[] row, Place[] pages) {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE);
        for (int symbol = 0; symbol < row.length; symbol++) {
            Rule rule = row[symbol];
            int at = symbol * ENTRY;
            // In the last step, the page is any that there is.
            long next = pages[rule.next == HALT ? 0 : rule.next].address();
            bytes.putLong(at + 4, next >>> 8 << 8 | (rule.next == HALT ? Wqe.NOP : Wqe.SEND_ENABLE));
            bytes.putInt(at, cell(rule.write) << 24 | rule.move & 0xffffff);
        }
        return bytes.array();
    }

    /** Returns the byte of a cell for a symbol. */
    public static byte cell(int symbol) {
        return (byte) (symbol * ENTRY);
    }

    /** Returns the WR whose address the next step's page is in, once {@link #lastOfStep()} ran. */
    public WorkRequest entry() {
        return readEntry;
    }

    /** Returns the WR that ends what a step does to the tape. */
    public WorkRequest lastOfStep() {
        return writeCell;
    }
}
