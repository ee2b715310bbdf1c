package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.ChainEnd.Queue;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** The chains of a domain: what they are told, which CQs are theirs, and what is left of them. */
final class SoftChainsTest {

    private final ChainEnd end = new ChainEnd(ShmUnderTest.open());
    private final WorkCompletion wc = new WorkCompletion();

    @AfterEach
    void close() {
        end.close();
    }

    private static void refused(String why, Executable what) {
        String message = assertThrows(VerbsException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    private CompletionQueue cq(int depth) {
        return end.device.createCq(CompletionQueueAttributes.ofChains(depth));
    }

    private static Mlx5QueuePair qp(ProtectionDomain pd, CompletionQueue sendCq, CompletionQueue receiveCq) {
        Mlx5QueuePair qp = (Mlx5QueuePair) pd.createQp(
                new QueuePairAttributes(sendCq, receiveCq).crossChannel(true).depth(64, 4));
        qp.init();
        return qp;
    }

    // ---- what they are told

    @Test
    void aPropertyHasTheChainsOfNewDomainsFetchEarly() {
        System.setProperty(SoftChains.PREFETCH_MANAGED, "true");
        try {
            assertTrue(end.device.allocatePd().chains().prefetches());
        } finally {
            System.clearProperty(SoftChains.PREFETCH_MANAGED);
        }
        assertFalse(end.device.allocatePd().chains().prefetches());
    }

    @Test
    void aTracerHearsOfEachWqe() {
        Queue queue = end.loopback(8, false, true);
        List<String> heard = new ArrayList<>();
        end.chains.trace(new ChainTracer() {
            @Override
            public void before(int qpn, int index) {
                heard.add("before " + index);
            }

            @Override
            public void after(int qpn, int index, WcStatus status) {
                heard.add(status + " " + index);
            }
        });
        queue.post(Code.nop(), Code.nop());
        assertEquals(List.of("before 0", "SUCCESS 0", "before 1", "SUCCESS 1"), heard);
    }

    // ---- CQs

    @Test
    void completionsThatAreOverwrittenBeforeTheyArePolledArePassedOver() {
        CompletionQueue cq = cq(8);
        Mlx5QueuePair qp = qp(end.pd, cq, cq);
        qp.connect(qp.endpoint());
        for (int i = 0; i < 16; i++) {
            assertTrue(qp.post(i, Code.words(qp, 0, Code.nop().signalled())));
            if (i < 6) {
                assertTrue(cq.poll(wc), "completion " + i);
                assertEquals(i, wc.wrId());
                assertFalse(cq.poll(wc), "nothing is lost yet");
            }
        }
        for (int i = 8; i < 16; i++) {
            assertTrue(cq.poll(wc), "completion " + i);
            assertEquals(i, wc.wrId(), "6 and 7 are lost");
        }
        assertFalse(cq.poll(wc));
    }

    @Test
    void aCompletionQueueIsOfOneDomain() {
        ProtectionDomain other = end.device.allocatePd();
        CompletionQueue sends = cq(8);
        CompletionQueue receives = cq(8);
        qp(end.pd, sends, receives);
        CompletionQueue its = cq(8);
        String why = "cross-channel CQ is of another protection domain, number=";
        refused(why + sends.number(), () -> qp(other, sends, its));
        refused(why + receives.number(), () -> qp(other, its, receives));
        qp(other, its, its);
    }

    @Test
    void aDomainHasSoManyCompletionQueuesUntilOneIsClosed() {
        List<CompletionQueue> cqs = new ArrayList<>();
        List<QueuePair> qps = new ArrayList<>();
        for (int i = 0; i < GroupContext.PLACES; i += 2) {
            cqs.add(cq(4));
            cqs.add(cq(4));
            qps.add(qp(end.pd, cqs.get(i), cqs.get(i + 1)));
        }
        CompletionQueue more = cq(4);
        refused("too many cross-channel CQs in a protection domain: places=32", () -> qp(end.pd, more, more));
        qps.get(0).close();
        cqs.get(0).close();
        qp(end.pd, more, more);
    }

    // ---- the end

    @Test
    void theMemoryOfTheChainsOfADomainThatIsClosedIsFree() {
        ProtectionDomain old = end.device.allocatePd();
        long address = ((SoftChains) old.chains()).group().address();
        old.close();
        assertEquals(address, ((SoftChains) end.device.allocatePd().chains()).group().address());
    }

    @Test
    void aDomainThatIsClosedLetsGoOfTheDevicesThatItsChainsSentTo() {
        SoftDevice other = (SoftDevice) ShmUnderTest.open();
        ShmEnd peer = new ShmEnd(other, 4);
        ProtectionDomain pd = end.device.allocatePd();
        CompletionQueue cq = cq(8);
        Mlx5QueuePair qp = qp(pd, cq, cq);
        byte[] endpoint = qp.endpoint();
        qp.connect(peer.qp.endpoint());
        peer.qp.connect(endpoint);
        MemoryRegion mr = pd.allocate(8, 0);
        Code write = Code.write(peer.mr.address(), peer.mr.rkey(), new Code.Piece(mr.address(), 8, mr.lkey()));
        assertTrue(qp.post(0, Code.words(qp, 0, write.signalled())));
        assertTrue(cq.poll(wc) && wc.succeeded(), wc::toString);
        qp.close();
        cq.close();
        mr.close();
        pd.close();
        other.close();
        assertFalse(Files.exists(other.folder()), "whoever lets go last removes it");
    }
}
