package org.jvrpc.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests, attributes and rights refuse what cannot be, before a device sees it. */
final class RequestsTest {

    private static final Sge EIGHT = new Sge(64, 8, 1);

    private static final AddressHandle HANDLE = () -> { };

    private static void refused(Runnable make) {
        assertThrows(IllegalArgumentException.class, make::run);
    }

    @Test
    void flagsAddUpAndLeaveTheOriginalAlone() {
        SendRequest plain = SendRequest.send(1, EIGHT);
        SendRequest all = plain.signalled().fenced().inline().solicited();
        assertEquals(15, all.flags());
        assertEquals(0, plain.flags());
        assertTrue(all.has(SendRequest.FENCE));
        assertFalse(plain.signalled().has(SendRequest.FENCE));
        assertEquals(plain.sges(), all.sges());
    }

    @Test
    void theListOfSgesIsCopied() {
        List<Sge> sges = new ArrayList<>(List.of(EIGHT));
        SendRequest request = new SendRequest(SendRequest.Opcode.SEND, 1, sges, 0, 0, 0, 0, 0, 0);
        ReceiveRequest receive = new ReceiveRequest(1, sges);
        sges.clear();
        assertEquals(List.of(EIGHT), request.sges());
        assertEquals(List.of(EIGHT), receive.sges());
    }

    @Test
    void anAtomicHasOneSgeOfEightBytes() {
        refused(() -> SendRequest.fetchAndAdd(1, 0, 0, 1, new Sge(0, 4, 0)));
        refused(() -> SendRequest.compareAndSwap(1, 0, 0, 1, 1, new Sge(0, 9, 0)));
        refused(() -> new SendRequest(SendRequest.Opcode.FETCH_ADD, 1, List.of(), 0, 0, 0, 0, 0, 0));
    }

    @Test
    void whatBringsDataCannotBeInline() {
        refused(() -> SendRequest.read(1, 0, 0, EIGHT).inline());
        refused(() -> SendRequest.fetchAndAdd(1, 0, 0, 1, EIGHT).inline());
        assertTrue(SendRequest.write(1, 0, 0, EIGHT).inline().has(SendRequest.INLINE));
    }

    @Test
    void aLengthIsNotNegative() {
        refused(() -> new Sge(0, -1, 0));
    }

    @Test
    void opcodesKnowWhatTheyHave() {
        assertFalse(SendRequest.Opcode.SEND.isOneSided() || SendRequest.Opcode.SEND_WITH_IMM.isOneSided());
        assertTrue(SendRequest.Opcode.RDMA_WRITE.isOneSided() && SendRequest.Opcode.FETCH_ADD.isOneSided());
        assertTrue(SendRequest.Opcode.COMPARE_SWAP.isAtomic() && !SendRequest.Opcode.RDMA_READ.isAtomic());
        assertTrue(SendRequest.Opcode.RDMA_WRITE_WITH_IMM.hasImmediate());
        assertFalse(SendRequest.Opcode.RDMA_WRITE.hasImmediate());
    }

    @Test
    void rightsAreChecked() {
        for (int good : new int[] {0, 1, 3, 4, 5, 9, 15}) {
            assertEquals(good, Access.check(good));
        }
        for (int bad : new int[] {2, 6, 8, 10, 16, 17, -1}) {
            refused(() -> Access.check(bad));
        }
    }

    @Test
    void attributesOfCqsAreChecked() {
        refused(() -> CompletionQueueAttributes.ofDepth(0));
        refused(() -> CompletionQueueAttributes.ofDepth((1 << 22) + 1));
        refused(() -> new CompletionQueueAttributes(1, 96, false, false, null));
        assertEquals(1 << 22, CompletionQueueAttributes.ofDepth(1 << 22).depth());
    }

    @Test
    void attributesOfQpsAndSrqsAreChecked() {
        refused(() -> new SharedReceiveQueueAttributes(0, 1));
        refused(() -> new SharedReceiveQueueAttributes(16385, 1));
        refused(() -> new SharedReceiveQueueAttributes(1, 0));
        refused(() -> new SharedReceiveQueueAttributes(1, 17));
        assertEquals(16384, new SharedReceiveQueueAttributes(16384, 16).maxWr());
        refused(() -> new Destination(HANDLE, -1, 0));
        refused(() -> new Destination(HANDLE, 1 << 24, 0));
        assertThrows(NullPointerException.class, () -> new Destination(null, 1, 0));
    }

    @Test
    void aDatagramIsASendWithADestination() {
        Destination there = new Destination(HANDLE, 5, 6);
        SendRequest plain = SendRequest.datagram(1, there, EIGHT);
        assertEquals(SendRequest.Opcode.SEND, plain.opcode());
        assertEquals(there, plain.signalled().inline().destination());
        SendRequest immediate = SendRequest.datagramWithImmediate(1, 7, there, EIGHT);
        assertEquals(SendRequest.Opcode.SEND_WITH_IMM, immediate.opcode());
        assertEquals(7, immediate.immediate());
        assertNull(SendRequest.send(1, EIGHT).signalled().destination());
        assertThrows(NullPointerException.class, () -> SendRequest.datagram(1, null, EIGHT));
        refused(() -> new SendRequest(SendRequest.Opcode.RDMA_WRITE, 1, List.of(), 0, 0, 0, 0, 0, 0, there));
    }

    @Test
    void anAddressThatNoProviderServesIsRefusedWithTheSchemesThatExist() {
        String message = assertThrows(IllegalArgumentException.class, () -> Devices.open("nosuch://x")).getMessage();
        assertTrue(message.contains("nosuch://x") && message.contains("[]"), message);
        refused(() -> Devices.open("no scheme"));
        assertEquals(List.of(), Devices.list());
    }
}
