package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;

/** Connected pairs whose right ends take receives from one SRQ, with some memory for these. One thread posts. */
final class SharedPairs {

    private final SharedReceiveQueue srq;
    private final MemoryRegion mr;
    private final List<Pair> pairs = new ArrayList<>();

    SharedPairs(Rig rig, int count, int maxWr, Setup setup) {
        srq = rig.keep(rig.right.pd.createSrq(new SharedReceiveQueueAttributes(maxWr, 4)));
        mr = rig.right.memory(1 << 19);
        for (int i = 0; i < count; i++) {
            End left = rig.left.end(setup.shared(null));
            pairs.add(Pair.connect(left, rig.right.end(setup.shared(srq))));
        }
    }

    SharedReceiveQueue srq() {
        return srq;
    }

    MemoryRegion mr() {
        return mr;
    }

    Pair get(int index) {
        return pairs.get(index);
    }

    Sge sge(long offset, int length) {
        return Sge.of(mr, offset, length);
    }

    byte[] bytes(long offset, int length) {
        byte[] bytes = new byte[length];
        mr.buffer(offset, length).get(0, bytes);
        return bytes;
    }

    void receive(long wrId, Sge... sges) {
        PostReceive call = srq.prepareReceive(ReceiveRequest.of(wrId, sges));
        assertEquals(1, call.execute(), () -> "accepted receives, wrId=" + wrId);
        call.free();
    }

    void receive(long wrId, long offset, int length) {
        receive(wrId, sge(offset, length));
    }
}
