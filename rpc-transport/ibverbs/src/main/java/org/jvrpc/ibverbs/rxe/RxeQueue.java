package org.jvrpc.ibverbs.rxe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.ibverbs.binding.Struct;

/**
 * A ring that is shared with the kernel: {@code struct rxe_queue_buf}. Indices are masked; producer = consumer means
 * empty, so one element less than there are can be taken. One thread produces, one consumes; the kernel is one of them.
 *
 * <pre>
 *   0 log2_elem_size:32, index_mask:32
 * 128 producer_index:32
 * 256 consumer_index:32
 * 384 elements of 1 &lt;&lt; log2_elem_size bytes
 * </pre>
 */
final class RxeQueue {

    /** Size of what comes before the elements. */
    static final int BYTES = 384;

    static final Struct STRUCT = Struct.of("struct rxe_queue_buf", "<rdma/rdma_user_rxe.h>", BYTES);

    static final int LOG2_ELEM_SIZE = STRUCT.field("log2_elem_size", 0, 4);
    static final int INDEX_MASK = STRUCT.field("index_mask", 4, 4);
    static final int PRODUCER_INDEX = STRUCT.field("producer_index", 128, 4);
    static final int CONSUMER_INDEX = STRUCT.field("consumer_index", 256, 4);

    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;
    private final int mask;
    private final int shift;

    /** @param memory the whole ring, in native byte order */
    RxeQueue(ByteBuffer memory) {
        this.memory = memory;
        this.mask = memory.getInt(INDEX_MASK);
        this.shift = memory.getInt(LOG2_ELEM_SIZE);
        if (Integer.bitCount(mask + 1) != 1 || shift < 6 || BYTES + ((long) mask + 1 << shift) > memory.capacity()) {
            throw new IllegalStateException("not a ring of rxe: index_mask=" + mask + " log2_elem_size=" + shift
                    + " bytes=" + memory.capacity());
        }
    }

    ByteBuffer memory() {
        return memory;
    }

    /** Returns the mask of indices: elements - 1. */
    int mask() {
        return mask;
    }

    /** Returns the bytes of an element. */
    int elementBytes() {
        return 1 << shift;
    }

    /** Returns where the element of an index lies, which need not be masked. */
    int at(int index) {
        return BYTES + ((index & mask) << shift);
    }

    /** Returns the kernel's producer index. Acquire: pairs with the kernel's store after it filled the element. */
    int producer() {
        return (int) INTS.getAcquire(memory, PRODUCER_INDEX);
    }

    /** Returns the kernel's consumer index: elements before it are done with. */
    int consumer() {
        return (int) INTS.getAcquire(memory, CONSUMER_INDEX);
    }

    /** Gives elements to the kernel, which loads the index with acquire. */
    void produce(int index) {
        INTS.setRelease(memory, PRODUCER_INDEX, index & mask);
    }

    /** Gives elements back to the kernel, which loads the index with acquire before it fills them again. */
    void consume(int index) {
        INTS.setRelease(memory, CONSUMER_INDEX, index & mask);
    }
}
