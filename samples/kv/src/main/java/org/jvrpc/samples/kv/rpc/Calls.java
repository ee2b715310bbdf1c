package org.jvrpc.samples.kv.rpc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Gets by calls, into buffers that are used again and again. The client's thread. */
final class Calls {

    /** Answers up to this travel in the slot of the call. */
    private static final int SHORT_BYTES = 3968;
    private static final int KEYS_BYTES = 3968;

    private final KvService service;
    private final OneSidedGets learner;
    private final ByteBuffer keys = direct(KEYS_BYTES);
    private final ByteBuffer shortAnswers = direct(SHORT_BYTES);
    private final int[] indices = new int[KEYS_BYTES / 3];
    private ByteBuffer longAnswers = direct(0);

    /** Makes one. @param learner hears where items lie; may be null */
    Calls(KvService service, OneSidedGets learner) {
        this.service = service;
        this.learner = learner;
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Gets. @return false when there is no such item */
    boolean get(byte[] key, Answer answer) {
        keys.clear().put(key).flip();
        ByteBuffer into = shortAnswers.clear();
        int written = service.fetch(keys, into);
        while (written < 0) {
            if (longAnswers.capacity() < -written) {
                longAnswers = direct(-written);
            }
            into = longAnswers.clear().limit(-written);
            keys.rewind();
            written = service.fetch(keys, into);
        }
        if (written == FetchLayout.NOT_FOUND) {
            return false;
        }
        into.clear();
        answer.take(into, 0);
        learn(key, into, 0);
        return true;
    }

    private void learn(byte[] key, ByteBuffer answer, int at) {
        if (learner != null) {
            learner.learn(key, answer.getLong(at + FetchLayout.ADDRESS),
                    answer.getInt(at + FetchLayout.ITEM_LENGTH));
        }
    }

    /** Gets all that are not done. */
    void getAll(byte[][] all, int count, boolean[] done, Answer answer, KvVisitor visitor) {
        int next = 0;
        while (next < count) {
            int first = next;
            int asked = 0;
            keys.clear();
            while (next < count && (done[next] || keys.remaining() >= Short.BYTES + all[next].length)) {
                if (!done[next]) {
                    keys.putShort((short) all[next].length).put(all[next]);
                    indices[asked++] = next;
                }
                next++;
            }
            if (asked > 0) {
                int answered = fetch(all, asked, answer, visitor);
                if (answered < asked) {
                    next = answered > 0 ? indices[answered] : getLong(all, indices[0], answer, visitor);
                }
            } else if (next == first) {
                throw new IllegalStateException("key length=" + all[next].length);
            }
        }
    }

    private int fetch(byte[][] all, int asked, Answer answer, KvVisitor visitor) {
        keys.flip();
        shortAnswers.clear();
        int answered = service.fetchAll(keys, shortAnswers);
        shortAnswers.clear();
        int at = 0;
        for (int i = 0; i < answered; i++) {
            int length = shortAnswers.getInt(at);
            at += Integer.BYTES;
            if (length != FetchLayout.NOT_FOUND) {
                answer.take(shortAnswers, at);
                learn(all[indices[i]], shortAnswers, at);
                visitor.found(indices[i], answer.bytes, answer.offset, answer.length, answer.flags, answer.version);
            }
            at += length;
        }
        return answered;
    }

    /** Gets one whose value has no room beside others. @return the next key */
    private int getLong(byte[][] all, int index, Answer answer, KvVisitor visitor) {
        if (get(all[index], answer)) {
            visitor.found(index, answer.bytes, answer.offset, answer.length, answer.flags, answer.version);
        }
        return index + 1;
    }
}
