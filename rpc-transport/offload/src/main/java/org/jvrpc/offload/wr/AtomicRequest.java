package org.jvrpc.offload.wr;

import java.util.List;
import java.util.function.LongSupplier;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.queue.Image;

/** Compare-and-swap and fetch-and-add, with and without masks. */
public final class AtomicRequest extends WorkRequest {

    private final int opcode;
    private final Place target;
    private final LongSupplier[] operands;
    private final WorkRequest turnsOn;
    private Place result;

    /**
     * @param operands in the order of the WQE; they are numbers, as an atomic of this opcode sees 8 bytes of memory,
     *     little-endian; asked for when all addresses are known
     * @param turnsOn the WR that a compare-and-swap turns on, or null; for listings
     */
    AtomicRequest(int opcode, Place target, Place result, WorkRequest turnsOn, LongSupplier... operands) {
        this.opcode = opcode;
        this.target = target;
        this.result = result;
        this.turnsOn = turnsOn;
        this.operands = operands;
    }

    @Override
    public int opcode() {
        return opcode;
    }

    @Override
    public Kind kind() {
        return Kind.ATOMIC;
    }

    @Override
    int opmod() {
        return opcode == Wqe.ATOMIC_MASKED_CS || opcode == Wqe.ATOMIC_MASKED_FA ? Wqe.MASKED_8 : 0;
    }

    @Override
    public int segments() {
        return Wqe.dataOffset(opcode) / Wqe.SEGMENT + 1;
    }

    /** Returns whether the value from before has a place to go. */
    public boolean hasResult() {
        return result != null;
    }

    /** Says where the value from before goes: 8 bytes. */
    public void result(Place place) {
        result = place;
    }

    @Override
    void encode(long[] words) {
        words[2] = target.address();
        words[3] = (long) target.rkey() << 32;
        for (int i = 0; i < operands.length; i++) {
            words[4 + i] = operands[i].getAsLong();
        }
        int at = Wqe.dataOffset(opcode) / 8;
        words[at] = 8L << 32 | result.lkey() & 0xffffffffL;
        words[at + 1] = result.address();
    }

    @Override
    public List<Place> changes() {
        return result == null ? List.of(target) : List.of(target, result);
    }

    @Override
    public String operands() {
        if (turnsOn != null) {
            return target + ": " + turnsOn.verb() + " if 0x"
                    + Long.toHexString(Image.operand(Long.reverseBytes(operands[1].getAsLong())));
        }
        StringBuilder text = new StringBuilder(target.toString());
        String[] names = switch (opcode) {
            case Wqe.ATOMIC_FA -> new String[] {" += "};
            case Wqe.ATOMIC_MASKED_FA -> new String[] {" += ", " fields end at "};
            case Wqe.ATOMIC_CS -> new String[] {": ", " if "};
            default -> new String[] {": ", " if ", " of ", " compared "};
        };
        for (int i = 0; i < names.length; i++) {
            text.append(names[i]).append("0x").append(Long.toHexString(operands[i].getAsLong()));
        }
        return text.toString();
    }

    @Override
    public String problem() {
        if (target.length() != 8 || result != null && result.length() != 8) {
            return "an atomic has 8 bytes: target=" + target.length() + " result="
                    + (result == null ? 8 : result.length());
        }
        return super.problem();
    }

    /** Says what is wrong with its address, or null. */
    public String alignmentProblem() {
        return target.address() % 8 == 0 ? null
                : "the target of an atomic must be aligned to 8 bytes, address=0x"
                        + Long.toHexString(target.address()) + " target=" + target;
    }
}
