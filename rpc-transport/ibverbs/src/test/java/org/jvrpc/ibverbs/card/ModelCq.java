package org.jvrpc.ibverbs.card;

import org.jvrpc.ibverbs.binding.Native;

/** A CQ of the model: writes CQEs as rdma-core reads them. Under the model's lock. */
final class ModelCq {

    final Native handle;
    final int number;
    final ModelMemory ring;
    final int entries;
    final int stride;
    final boolean ignoresOverrun;
    final ModelMemory record = ModelMemory.pages(8);
    final ModelChannel channel;
    int produced;
    int sequence;
    int armedAt = -1;
    int armSeen = -1;
    int reported;
    int acknowledged;
    boolean failed;

    ModelCq(Native handle, int number, int entries, int stride, boolean ignoresOverrun, ModelChannel channel) {
        this.handle = handle;
        this.number = number;
        this.entries = entries;
        this.stride = stride;
        this.ignoresOverrun = ignoresOverrun;
        this.channel = channel;
        this.ring = ModelMemory.pages(entries * stride);
        record.putInt(4, armSeen); // so that every arming is a change
        for (int i = 1; i <= entries; i++) {
            ring.putByte(i * stride - 1, 0xf0); // MLX5_CQE_INVALID << 4
        }
    }

    /** A completion to be written; offsets are those of struct mlx5_cqe64. */
    static final class Entry {
        int opcode;
        int sendOpcode;
        int qpn;
        int counter;
        int byteCount;
        int immediate;
        int source;
        int uidx;
        int syndrome;
        int vendorError;
        byte[] data;
    }

    /** Writes a CQE; false when there is no room. */
    boolean write(Entry entry) {
        int consumer = record.getInt(0);
        if (failed || !ignoresOverrun && (produced - consumer & 0xffffff) >= entries) {
            failed = true;
            return false;
        }
        int at = (produced & entries - 1) * stride + stride - 64;
        int format = 0;
        if (entry.data != null) {
            format = entry.data.length <= 32 ? 4 : 8;
            ring.put(format == 4 ? at : at - 64, entry.data, 0, entry.data.length);
        } else {
            ring.putInt(at + 24, entry.source);
        }
        ring.putInt(at + 32, entry.uidx).putInt(at + 36, entry.immediate).putInt(at + 44, entry.byteCount);
        ring.putLong(at + 48, 0x1122334455660000L | entry.vendorError << 8 | entry.syndrome);
        ring.putInt(at + 56, entry.sendOpcode << 24 | entry.qpn);
        int owner = (produced & entries) != 0 ? 1 : 0;
        ring.putInt(at + 60, entry.counter << 16 | 0x5a00 | entry.opcode << 4 | format | owner);
        produced++;
        fireIfDue();
        return true;
    }

    /** Takes an arming, when the doorbell record holds one that was not seen yet. */
    void lookAtArming() {
        int word = record.getInt(4);
        if (word != armSeen) {
            armSeen = word;
            if ((word >>> 28 & 3) == (sequence & 3)) {
                armedAt = word & 0xffffff;
                fireIfDue();
            }
        }
    }

    private void fireIfDue() {
        if (armedAt >= 0 && (produced - armedAt & 0xffffff) != 0 && channel != null) {
            armedAt = -1;
            sequence++;
            reported++;
            channel.event(handle.address());
        }
    }
}
