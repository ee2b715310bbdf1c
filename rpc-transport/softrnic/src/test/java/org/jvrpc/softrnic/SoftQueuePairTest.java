package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/** The device's side of a QP: what it tells whom, what its making and its end leave. */
final class SoftQueuePairTest extends PortFixture {

    private final CompletionQueue cq = cq(channel);
    private boolean hasNoPort;

    @Override
    WindowedPort makePort(PortQueuePair qp) {
        WindowedPort made = super.makePort(qp);
        if (hasNoPort) {
            throw new VerbsException("create_qp", "no port is left");
        }
        return made;
    }

    // ---- what it tells

    @Test
    void whoWaitsTellsAStalledQueuePairTheTimeUntilItGoesOn() {
        qp(cq, cq);
        assertFalse(tellsTime(channel));
        ports.get(0).acknowledge(1);
        ports.get(0).stalled.add(true); // after the first look
        assertTrue(tellsTime(channel), "it is stalled");
        assertTrue(tellsTime(channel), "it is stalled still");
        assertFalse(tellsTime(channel), "it went on");
        assertEquals(2, ports.get(0).progresses);
    }

    @Test
    void aQueuePairThatIsStalledAgainWhileALookEndsIsLookedAtAgain() {
        qp(cq, cq);
        ports.get(0).acknowledge(1);
        ports.get(0).stalled.addAll(List.of(false, true));
        assertTrue(tellsTime(channel));
        assertTrue(tellsTime(channel), "its poster stalled it again");
        assertFalse(tellsTime(channel), "it went on");
    }

    @Test
    void aQueuePairThatIsClosedIsNotToldTheTime() {
        Mlx5QueuePair qp = qp(cq, cq);
        ports.get(0).acknowledge(1);
        qp.close();
        assertFalse(tellsTime(channel));
    }

    @Test
    void anErrorIsToldToWhoWaitsForEitherQueueAndToItsPolls() {
        EventChannel other = device.createChannel();
        CompletionQueue receives = cq(other);
        Mlx5QueuePair qp = qp(cq, receives);
        assertFalse(channel.await(0) || other.await(0));
        qp.error();
        assertTrue(channel.await(0), "who waits for sends");
        assertTrue(other.await(0), "who waits for receives");
        assertEquals(1, ports.get(0).flushes);
        assertFalse(cq.poll(wc));
        assertEquals(2, ports.get(0).flushes, "a poll for sends looks at the QP");
        assertFalse(receives.poll(wc));
        assertEquals(3, ports.get(0).flushes, "a poll for receives does");
    }

    @Test
    void aPeerIsWokenLaterByAQueuePairThatWakesLazilyOnly() {
        for (boolean lazy : new boolean[] {true, false}) {
            QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(4, 4).lazyWake(lazy));
            qp.wakePeer();
            assertEquals(lazy, ports.get(ports.size() - 1).calls.contains("wakePeer"), "lazy: " + lazy);
        }
    }

    // ---- where its messages may go

    @Test
    void aMessageMayGoWhereAReceiveInItsRingSays() {
        Mlx5QueuePair qp = qp(cq, cq);
        SoftQueuePair control = control(qp);
        List<MemoryRegion> named = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            MemoryRegion mr = pd.allocate(64, Access.LOCAL_WRITE);
            assertFalse(control.mayReceiveInto(mr.lkey()), "no receive names it");
            assertEquals(1, qp.prepareReceive(ReceiveRequest.of(i, Sge.of(mr, 0, 64))).execute());
            named.add(mr);
        }
        named.forEach(mr -> assertTrue(control.mayReceiveInto(mr.lkey()), "receive " + named.indexOf(mr)));
        int key = pd.allocate(64, Access.LOCAL_WRITE).lkey();
        QueueMemory sends = control.sends();
        BigEndian.putLong(sends.memory(), sends.ring(), key);
        assertFalse(control.mayReceiveInto(key), "the first send names it");
    }

    @Test
    void messagesThatSharedReceivesOrChainsTakeMayGoAnywhere() {
        SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        CompletionQueue chained = device.createCq(CompletionQueueAttributes.ofChains(DEPTH));
        int key = pd.allocate(64, Access.LOCAL_WRITE).lkey();
        for (QueuePairAttributes attributes : List.of(new QueuePairAttributes(cq, cq).sharedReceive(srq),
                new QueuePairAttributes(chained, chained).crossChannel(true))) {
            assertTrue(control((Mlx5QueuePair) pd.createQp(attributes)).mayReceiveInto(key));
        }
    }

    // ---- its making and its end

    @Test
    void aSharedReceiveQueueIsInUseByTheQueuePairsThatWereMade() {
        SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(2, 2).sharedReceive(srq));
        refused("is used by queue pairs=1", srq::close);
        refused("the network is down",
                () -> pd.createQp(new QueuePairAttributes(cq, cq).depth(1, 1).sharedReceive(srq)));
        qp.close();
        srq.close();
    }

    @Test
    void pollsLookAtNoQueuePairThatCouldNotBeMade() {
        refused("the network is down", () -> pd.createQp(new QueuePairAttributes(cq, cq).depth(1, 1)));
        ports.get(0).acknowledge(1);
        assertFalse(cq.poll(wc));
        assertEquals(0, ports.get(0).progresses);
    }

    @Test
    void theMemoryOfAQueuePairThatHasNoPortIsFree() {
        hasNoPort = true;
        refused("no port is left", () -> qp(cq, cq));
        hasNoPort = false;
        qp(cq, cq);
        assertEquals(ports.get(0).qp.address(), ports.get(1).qp.address());
    }

    /** Has a number tried, and returns the one that is tried next. */
    private int nextNumber() {
        int number = device.claimQpn();
        device.releaseQpn(number);
        return number + 1;
    }

    /** Has a number tried next, as when all others have been tried, which takes eight million QPs. */
    private void comeRound(int number) throws ReflectiveOperationException {
        Field next = SoftDevice.class.getDeclaredField("nextQpn");
        next.setAccessible(true);
        next.setInt(device, number);
    }

    @Test
    void aNumberIsGivenAgainWhenItsQueuePairIsGoneOrCouldNotBeMade() throws Exception {
        CompletionQueue exclusive = device.createCq(new CompletionQueueAttributes(DEPTH, 64, true, false, null));
        int first = nextNumber();
        qp(cq, cq).close();
        refused("an exclusive CQ has one producer",
                () -> pd.createQp(new QueuePairAttributes(cq, exclusive).datagram(1)));
        Path inTheWay = Files.createDirectories(device.folder().resolve(device.arena().nextSegment() + "/file"));
        refused("no memory", () -> pd.createQp(new QueuePairAttributes(cq, cq).depth(1 << 13, 1 << 13)));
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
        assertEquals(first + 4, nextNumber(), "each had a number");
        comeRound(first);
        for (int number = first; number < first + 3; number++) {
            assertEquals(number, device.claimQpn(), "closed, refused, without memory");
        }
    }
}
