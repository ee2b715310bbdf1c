package org.jvrpc.offload.wr;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.mlx5.Wqe;

/** WRITE, READ, SEND, and those that calculate on the way. */
public final class CopyRequest extends WorkRequest {

    /** The most data segments of a WR, as {@link org.jvrpc.verbs.QueuePairAttributes#sges} has them. */
    public static final int MAX_SGES = 16;

    private final int opcode;
    private final int opmod;
    private final int immediate;
    private final Place remote;
    private final List<Place> data;

    CopyRequest(int opcode, int opmod, int immediate, Place remote, Place... data) {
        this.opcode = opcode;
        this.opmod = opmod;
        this.immediate = immediate;
        this.remote = remote;
        this.data = new ArrayList<>(List.of(data));
    }

    @Override
    public WorkRequest more(Place... places) {
        data.addAll(List.of(places));
        return this;
    }

    @Override
    public int opcode() {
        return opcode;
    }

    @Override
    public Kind kind() {
        return Kind.COPY;
    }

    @Override
    int opmod() {
        return opmod;
    }

    @Override
    int immediate() {
        return immediate;
    }

    @Override
    public int segments() {
        return Wqe.dataOffset(opcode) / Wqe.SEGMENT + data.size();
    }

    @Override
    void encode(long[] words) {
        int at = 2;
        if (remote != null) {
            words[at++] = remote.address();
            words[at++] = (long) remote.rkey() << 32;
        }
        for (Place place : data) {
            words[at++] = (long) place.length() << 32 | place.lkey() & 0xffffffffL;
            words[at++] = place.address();
        }
    }

    @Override
    public List<Place> changes() {
        return opcode == Wqe.RDMA_READ ? data : remote == null ? List.of() : List.of(remote);
    }

    @Override
    public String operands() {
        String list = PlaceNames.join(data);
        if (remote == null) {
            return list;
        }
        return opcode == Wqe.RDMA_READ ? list + " ← " + remote : remote + " ← " + list;
    }

    @Override
    public String problem() {
        if (data.size() > MAX_SGES) {
            return "SGEs=" + data.size() + ", a WR has at most " + MAX_SGES;
        }
        if (opmod != 0) {
            return calculationProblem();
        }
        long bytes = data.stream().mapToLong(Place::length).sum();
        for (Place place : data) {
            if (place.length() == 0) {
                return "an SGE of no bytes, which a device takes for 2 GiB: " + place;
            }
        }
        if (remote != null && remote.length() != bytes) {
            return "bytes of its SGEs=" + bytes + " bytes of the remote place=" + remote.length();
        }
        return super.problem();
    }

    private String calculationProblem() {
        long bytes = data.stream().mapToLong(Place::length).sum();
        if (bytes % 8 != 0 || bytes < 8 || bytes > 128 || remote.length() != 8) {
            return "a calculation takes 1 to 16 words of 8 bytes and gives 8: bytes=" + bytes + " result="
                    + remote.length();
        }
        return super.problem();
    }
}
