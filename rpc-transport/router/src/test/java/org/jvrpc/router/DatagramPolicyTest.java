package org.jvrpc.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.map.Rule;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** To whom tenants may send datagrams, and until when. */
final class DatagramPolicyTest {

    private static final int QKEY = 5;
    private static final Rule ALL = new Rule(null, null, 0, 65535, true);

    @TempDir
    Path folder;

    private TestRouter router;
    private End one;
    private End two;

    private static final class End implements AutoCloseable {

        final Device device;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final MemoryRegion memory;
        final QueuePair qp;
        final WorkCompletion wc = new WorkCompletion();

        End(Device device) {
            this.device = device;
            this.pd = device.allocatePd();
            this.cq = device.createCq(CompletionQueueAttributes.ofDepth(16));
            this.memory = pd.allocate(4096, Access.LOCAL_WRITE);
            this.qp = pd.createQp(new QueuePairAttributes(cq, cq).datagram(QKEY));
            qp.init();
            qp.ready();
        }

        WcStatus send(AddressHandle way, End to) {
            qp.prepareSend(SendRequest.datagram(1, new Destination(way, to.qp.number(), QKEY),
                    Sge.of(memory, 0, 8)).signalled()).execute();
            return completion();
        }

        WcStatus completion() {
            Waits.until("a completion", () -> cq.poll(wc));
            return wc.status();
        }

        @Override
        public void close() {
            device.close();
        }
    }

    @BeforeEach
    void open() {
        router = new TestRouter(folder, "one", "two");
        router.view().apply(ALL);
        one = new End(router.open("one"));
        two = new End(router.open("two"));
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        router.close();
    }

    @Test
    void aWayIsClosedWhenTheRulesAllowItNoMore() {
        AddressHandle way = one.pd.createAh(two.qp.endpoint());
        two.qp.prepareReceive(ReceiveRequest.of(7, Sge.of(two.memory, 0, 100))).execute();
        assertEquals(WcStatus.SUCCESS, one.send(way, two));
        assertEquals(WcStatus.SUCCESS, two.completion());
        router.view().apply(new Rule(null, null, 0, 65535, false));
        two.qp.prepareReceive(ReceiveRequest.of(8, Sge.of(two.memory, 0, 100))).execute();
        assertEquals(WcStatus.LOC_QP_OP_ERR, one.send(way, two));
        assertEquals(false, two.cq.poll(two.wc), "it was delivered");
        way.close();
    }

    @Test
    void nobodyGetsAWayThatTheRulesDoNotAllow() {
        router.view().apply(new Rule(null, null, 0, 65535, false));
        VerbsException e = assertThrows(VerbsException.class, () -> one.pd.createAh(two.qp.endpoint()));
        assertTrue(e.getMessage().contains("POLICY"), e.getMessage());
    }

    @Test
    void aWayToADeviceThatIsGoneIsNotGivenAndAnOldOneLeadsToNobody() {
        AddressHandle way = one.pd.createAh(two.qp.endpoint());
        byte[] endpoint = two.qp.endpoint();
        two.close();
        assertEquals(WcStatus.SUCCESS, one.send(way, two));
        VerbsException e = assertThrows(VerbsException.class, () -> one.pd.createAh(endpoint));
        assertTrue(e.getMessage().contains("NOBODY_LISTENS"), e.getMessage());
    }

    @Test
    void waysAreCountedAndGivenBack() {
        int most = Quota.DEFAULT.connections();
        AddressHandle[] ways = new AddressHandle[most];
        for (int i = 0; i < most; i++) {
            ways[i] = one.pd.createAh(two.qp.endpoint());
        }
        VerbsException e = assertThrows(VerbsException.class, () -> one.pd.createAh(two.qp.endpoint()));
        assertTrue(e.getMessage().contains("quota=CONNECTIONS"), e.getMessage());
        ways[0].close();
        one.pd.createAh(two.qp.endpoint()).close();
    }
}
