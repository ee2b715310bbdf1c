package org.jvrpc.ibverbs.card;

import org.jvrpc.ibverbs.binding.Native;

/** An SRQ of the model: made as libmlx5 makes it, with a wait queue behind the list that begins at 0. */
final class ModelSrq {

    final Native handle;
    final int number;
    final long pd;
    final int listed;
    final int stride;
    final ModelMemory ring;
    final ModelMemory record = ModelMemory.pages(8);
    int head;
    int taken;

    ModelSrq(Native handle, int number, long pd, int maxWr, int maxSge) {
        this.handle = handle;
        this.number = number;
        this.pd = pd;
        this.stride = Math.max(32, ModelCard.roundUp(16 + 16 * maxSge));
        this.listed = ModelCard.roundUp(maxWr + 1);
        int all = ModelCard.roundUp(2 * maxWr + 1);
        this.ring = ModelMemory.pages(Math.max(all, listed) * stride);
        for (int i = 0; i < listed - 1; i++) {
            ring.putShort(i * stride + 2, i + 1);
        }
    }

    int posted() {
        return record.getInt(0) - taken & 0xffff;
    }
}
