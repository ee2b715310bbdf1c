package org.jvrpc.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.Chains;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** Chains of a device whose router ends, and of the next one. */
final class ChainsRestartTest {

    private static final int ALL =
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

    @TempDir
    Path folder;

    private TestRouter router;
    private RouterServer second;
    private Device device;
    private ProtectionDomain pd;
    private MemoryRegion memory;
    private CompletionQueue cq;
    private Chains chains;
    private final WorkCompletion wc = new WorkCompletion();

    @BeforeEach
    void open() {
        router = new TestRouter(folder, "one");
        device = router.open("one");
        pd = device.allocatePd();
        memory = pd.allocate(4096, ALL);
        chains = pd.chains();
        cq = device.createCq(CompletionQueueAttributes.ofChains(16));
    }

    @AfterEach
    void close() {
        device.close();
        router.close();
        if (second != null) {
            second.close();
        }
    }

    private QueuePair tryCreate() {
        try {
            return pd.createQp(new QueuePairAttributes(cq, cq).crossChannel(true).depth(16, 16));
        } catch (VerbsException e) {
            assertTrue(e.getMessage().contains("the router is gone"), e.getMessage());
            return null;
        }
    }

    /** Makes a queue that is connected to itself; null while there is no router. */
    private QueuePair queue() {
        QueuePair qp = tryCreate();
        if (qp != null) {
            qp.init();
            qp.connect(qp.endpoint());
        }
        return qp;
    }

    private void copy(QueuePair qp, long value) {
        memory.buffer(0, 8).putLong(0, value);
        qp.prepareSend(SendRequest.write(value, memory.address() + 64, memory.rkey(), Sge.of(memory, 0, 8))
                .signalled()).execute();
        Waits.until("completion " + value, () -> cq.poll(wc));
        assertEquals(WcStatus.SUCCESS, wc.status());
        assertEquals(value, memory.buffer(64, 8).getLong(0));
    }

    private void restart() throws IOException {
        router.server().close();
        second = RouterServer.start(new RouterServer.Settings(folder, TestRouter.HOST, true, true, true),
                router.view(), (tenant, what, refusal, detail) -> { });
    }

    @Test
    void theyAreMadeAgainAndCountOn() throws IOException {
        QueuePair before = queue();
        copy(before, 1);
        copy(before, 2);
        assertEquals(2, chains.executed());
        restart();
        Waits.until("the QP's end", () -> before.state() == QueuePairState.ERR);
        before.close();
        QueuePair[] after = new QueuePair[1];
        Waits.until("a queue at the next router", () -> (after[0] = queue()) != null);
        copy(after[0], 3);
        assertEquals(3, chains.executed());
        assertFalse(chains.isCutOff());
    }

    @Test
    void chainsThatWereCutOffStayCutOff() throws IOException {
        QueuePair before = queue();
        chains.cutOff();
        assertTrue(chains.isCutOff());
        Waits.until("the QP's end", () -> before.state() == QueuePairState.ERR);
        before.close();
        restart();
        QueuePair[] after = new QueuePair[1];
        Waits.until("a queue at the next router", () -> (after[0] = tryCreate()) != null);
        assertTrue(chains.isCutOff());
        after[0].init();
        try {
            after[0].connect(after[0].endpoint());
        } catch (VerbsException e) {
            assertTrue(e.getMessage().contains("state=ERR"), e.getMessage()); // it came to ERR before it was asked
        }
        Waits.until("the QP's end", () -> after[0].state() == QueuePairState.ERR);
    }

    @Test
    void aTracerIsRefusedAndALimitIsChecked() {
        assertThrows(VerbsException.class, () -> chains.trace(new ChainTracer() {
            @Override
            public void before(int qpn, int index) {
                throw new AssertionError("it is told of a WQE");
            }

            @Override
            public void after(int qpn, int index, WcStatus status) {
                throw new AssertionError("it is told of a WQE");
            }
        }));
        chains.trace(null);
        assertThrows(IllegalArgumentException.class, () -> chains.limitRate(0, 1));
        chains.limitRate(1000, 10);
        copy(queue(), 1);
    }
}
