package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.ChainEnd.Queue;
import org.jvrpc.softrnic.chain.ChainEngine;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.host.ProcessId;

/** Cross-channel queues of a domain: how many there may be, where they lie, and what is left of one that is closed. */
final class ChainMembersTest {

    private final ChainEnd end = new ChainEnd(ShmUnderTest.open());
    private final ChainGroup group = ((SoftChains) end.chains).group();
    private final ByteBuffer shared = ((SoftDevice) end.device).arena()
            .require(group.address(), GroupContext.BYTES, "group").window(group.address());
    private final WorkCompletion wc = new WorkCompletion();

    @AfterEach
    void close() {
        end.close();
    }

    /** Returns where the contexts of the members lie. */
    private List<Long> members() {
        List<Long> members = new ArrayList<>();
        for (int place = 0; place < GroupContext.PLACES; place++) {
            long queue = GroupContext.queue(shared, group.context(), place);
            if (queue != 0) {
                members.add(queue);
            }
        }
        return members;
    }

    private static ChainEngine engine(Mlx5QueuePair qp) {
        return (ChainEngine) ((SoftQueuePair) qp.control()).engine();
    }

    @Test
    void aQueueThatIsClosedLeavesItsGroupAndItsMemoryIsUsedAgain() {
        int rounds = 40;
        Set<Long> places = new HashSet<>();
        for (int i = 0; i < rounds; i++) {
            try (CompletionQueue cq = end.device.createCq(CompletionQueueAttributes.ofChains(8));
                 QueuePair qp = end.pd.createQp(new QueuePairAttributes(cq, cq).crossChannel(true))) {
                assertEquals(1, members().size(), () -> "while there is " + qp);
                places.addAll(members());
            }
            assertEquals(List.of(), members(), "round " + i);
        }
        assertTrue(places.size() < rounds / 2, "contexts lay at so many places: " + places.size());
        Queue queue = end.loopback(8, false, true);
        queue.post(Code.nop().signalled());
        assertTrue(queue.cq.poll(wc), "a queue in memory that others had");
        assertFalse(engine(queue.qp).isStalled());
    }

    @Test
    void aQueueInMemoryOfOneThatRanIsNotTakenForIt() {
        Set<Long> places = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Queue queue = end.loopback(8, false, true);
            places.addAll(members());
            queue.post(Code.nop().signalled(), Code.nop().signalled());
            for (int wqe = 0; wqe < 2; wqe++) {
                assertTrue(queue.cq.poll(wc), "WQE " + wqe + " of queue " + i);
                assertTrue(wc.succeeded(), wc::toString);
                assertEquals(queue.qp.number(), wc.qpNumber(), "of whom WQE " + wqe + " of queue " + i + " is");
            }
            queue.code.close();
            queue.qp.close();
            queue.cq.close();
        }
        assertTrue(places.size() < 20, "contexts lay at so many places: " + places.size());
    }

    @Test
    void aDomainHasSoManyQueuesAtMost() {
        CompletionQueue cq = end.device.createCq(CompletionQueueAttributes.ofChains(64));
        QueuePairAttributes attributes = new QueuePairAttributes(cq, cq).crossChannel(true).depth(4, 4);
        for (int i = 0; i < GroupContext.PLACES; i++) {
            end.pd.createQp(attributes);
        }
        String message = assertThrows(VerbsException.class, () -> end.pd.createQp(attributes)).getMessage();
        assertTrue(message.contains("too many cross-channel QPs in a protection domain: places=32"), message);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQueueFetchesIntoNobodyElsesMemory(boolean managed) {
        group.prefetchManaged(managed);
        Queue kick = end.loopback(8, false, true);
        Queue[] queues = new Queue[4];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = end.loopback(64, managed, true);
            assertEquals(managed, queues[i].qp.prefetches());
        }
        for (int block = 0; block < 2 * queues[0].qp.sendRingBlocks(); block++) {
            for (Queue queue : queues) {
                if (managed) {
                    queue.load(block, Code.nop().signalled());
                    kick.post(Code.enable(queue.qp, block + 1).signalled());
                    assertTrue(kick.cq.poll(wc) && wc.succeeded(), wc::toString);
                } else {
                    queue.post(Code.nop().signalled());
                }
                assertTrue(queue.cq.poll(wc), "block " + block);
                assertTrue(wc.succeeded(), wc::toString);
            }
        }
    }

    @Test
    void aQueuePairKnowsThatALivingProcessLostItsClaim() {
        Queue queue = end.loopback(8, false, true);
        assertFalse(engine(queue.qp).wasTakenOver());
        assertEquals(0, GroupContext.claim(shared, group.context(), ProcessId.of(1)));
        end.queue(8, false, false, true);
        assertTrue(engine(queue.qp).wasTakenOver());
    }
}
