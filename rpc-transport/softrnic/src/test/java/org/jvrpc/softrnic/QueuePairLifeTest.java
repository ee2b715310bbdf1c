package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** Numbers of QPs, connections that come to nothing, and QPs that are closed. */
class QueuePairLifeTest {

    @Test
    void aConnectThatIsRefusedLeavesThePeerFreeForAnother() {
        try (SoftDevice left = (SoftDevice) ShmUnderTest.open(); SoftDevice right = (SoftDevice) ShmUnderTest.open();
                EventChannel channel = right.createChannel();
                CompletionQueue exclusive = right.createCq(
                        new CompletionQueueAttributes(64, 64, true, false, channel));
                ShmEnd peer = new ShmEnd(right, 4, exclusive, channel);
                ProtectionDomain pd = left.allocatePd();
                CompletionQueue chained = left.createCq(CompletionQueueAttributes.ofChains(64));
                QueuePair refused = pd.createQp(new QueuePairAttributes(chained, chained).crossChannel(true)
                        .managed(true, true).depth(64, 4).sges(1, 16));
                ShmEnd other = new ShmEnd(left, 4)) {
            refused.init();
            byte[] endpoint = peer.qp.endpoint();
            VerbsException why = assertThrows(VerbsException.class, () -> refused.connect(endpoint));
            assertEquals(QueuePairState.INIT, refused.state(), why.getMessage());
            other.qp.connect(endpoint);
            assertEquals(QueuePairState.RTS, other.qp.state());
        }
    }

    @Tag("slow")
    @Test
    void aNumberIsNotGivenTwiceWhenTheNumbersHaveComeRound() {
        try (SoftDevice device = (SoftDevice) ShmUnderTest.open()) {
            int living = device.claimQpn();
            for (int n = 0; n < 1 << 23; n++) {
                int number = device.claimQpn();
                assertNotEquals(living, number, "given again after " + n);
                device.releaseQpn(number);
            }
            device.releaseQpn(living);
        }
    }

    @Test
    void aClosedQueuePairIsInErrorWhateverItsMemoryIsUsedForNow() {
        try (SoftDevice device = (SoftDevice) ShmUnderTest.open()) {
            ShmEnd old = new ShmEnd(device, 4);
            old.close();
            try (ShmEnd next = new ShmEnd(device, 4)) {
                old.qp.error();
                assertEquals(QueuePairState.ERR, old.qp.state());
                assertEquals(QueuePairState.INIT, next.qp.state());
            }
        }
    }
}
