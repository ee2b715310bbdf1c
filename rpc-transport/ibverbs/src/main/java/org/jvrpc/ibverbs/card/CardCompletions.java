package org.jvrpc.ibverbs.card;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.ibverbs.binding.Layouts.Cq;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.CompletionSink;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.CompletionQueueControl;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Mlx5CompletionQueue;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/** The card's side of a CQ. Polls call it on their thread; the rest is for any thread. */
final class CardCompletions implements CompletionQueueControl, CompletionSink {

    /** Where in its page of doorbells a card is told to watch a CQ. Source: MLX5_CQ_DOORBELL of rdma-core. */
    private static final int ARM_REGISTER = 0x20;
    private static final int SEQUENCE_SHIFT = 28;
    private static final int SEQUENCE_MASK = 3;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final CardDriver driver;
    private final long cq;
    private final int number;
    private final int handle;
    private final ByteBuffer records;
    private final int record;
    private final ByteBuffer page;
    private final RdmaEventChannel channel;
    private final Mlx5CompletionQueue queue;
    /** Counts events: an arming with the number of an event that came already does not count. */
    private final AtomicInteger sequence = new AtomicInteger();
    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile boolean overran;
    private volatile boolean closed;
    private boolean drained;
    private int quiet;

    /** @param cq address of a {@code struct ibv_cq} */
    CardCompletions(CardDriver driver, long cq, DirectVerbs.CqRing ring, CompletionQueueAttributes attributes) {
        QueueMemory memory = ring.queue();
        this.driver = driver;
        this.cq = cq;
        this.number = ring.number();
        this.handle = Native.intAt(cq + Cq.HANDLE);
        this.records = memory.records();
        this.record = memory.record();
        this.page = Native.view(ring.page(), ARM_REGISTER + 8);
        this.channel = (RdmaEventChannel) attributes.channel();
        this.queue = new Mlx5CompletionQueue(number, attributes, memory, this);
    }

    /** Begins to hear of its events. */
    CardCompletions listen() {
        if (channel != null) {
            channel.register(cq, this); // the user handle that libibverbs gives a CQ is its address
        }
        return this;
    }

    Mlx5CompletionQueue queue() {
        return queue;
    }

    long address() {
        return cq;
    }

    /** Returns the kernel's handle. */
    int handle() {
        return handle;
    }

    @Override
    public void arm(int consumerIndex) {
        if (closed || channel == null) {
            return;
        }
        armed.set(true);
        int word = (sequence.get() & SEQUENCE_MASK) << SEQUENCE_SHIFT | consumerIndex & DoorbellRecord.CONSUMER_MASK;
        BigEndian.putIntRelease(records, record + DoorbellRecord.ARM, word);
        VarHandle.fullFence(); // the record before the register, see BlueFlame
        LONG.setOpaque(page, ARM_REGISTER, (long) word << 32 | number);
        VarHandle.fullFence();
    }

    @Override
    public void disarm() {
        armed.set(false); // the event comes all the same, and wakes nobody
    }

    @Override
    public boolean completed() {
        sequence.getAndIncrement();
        // Before the CQ is destroyed, which waits for it.
        driver.context().whileOpen(() -> driver.context().lib().ibv_ack_cq_events(cq, 1));
        return armed.getAndSet(false);
    }

    /** Notes that the card lost completions for lack of room. */
    void overran() {
        overran = true;
        if (channel != null) {
            channel.wakeup();
        }
    }

    @Override
    public boolean alerted() {
        if (++quiet >= driver.eventsEvery()) {
            quiet = 0;
            driver.events().look();
        }
        return overran || driver.events().isGone();
    }

    @Override
    public void progress() {
        if (driver.events().isGone()) {
            throw new VerbsException("poll_cq", "the device is gone, device=" + driver.context().name());
        }
        if (overran && !drained) {
            drained = true; // what is in the ring comes first: the poll looks there again
            driver.failAll(this);
        } else if (overran) {
            throw new VerbsException("poll_cq", "completion queue overran: number=" + number + " depth="
                    + queue.depth());
        }
    }

    @Override
    public void close() {
        driver.context().whileOpen(this::end);
    }

    /** Ends the CQ if it was not ended before; inside {@code whileOpen}. */
    void end() {
        if (!driver.forget(this)) {
            return;
        }
        closed = true;
        driver.deferredDestroys().destroyOf(this);
        driver.context().lib().ibv_destroy_cq(cq);
        if (channel != null) {
            channel.unregister(cq); // last: events that were read are acknowledged until then
        }
    }
}
