package org.jvrpc.ibverbs.card;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.mlx5.Mlx5CompletionQueue;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What the driver writes to a card's memory, with nobody there who takes it. */
final class CardBytesTest {

    private final ModelDevice device = new ModelDevice();
    private final ProtectionDomain pd = device.allocatePd();
    private final EventChannel channel = device.createChannel();
    private final CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(8).withChannel(channel));
    private final MemoryRegion memory = pd.allocate(4096, Access.LOCAL_WRITE);
    private final WorkCompletion wc = new WorkCompletion();
    private QueuePair qp;
    private ModelQp model;

    @BeforeEach
    void connect() {
        qp = create();
        model = device.card.qps.values().iterator().next();
        qp.init();
        qp.connect(qp.endpoint());
        device.card.freeze();
    }

    private QueuePair create() {
        return pd.createQp(new QueuePairAttributes(cq, cq).depth(4, 4).sges(4, 2).inline(64));
    }

    @AfterEach
    void close() {
        device.close();
    }

    private void post(SendRequest request) {
        assertEquals(1, qp.prepareSend(request).execute());
    }

    private String register(int offset, int length) {
        return HexFormat.of().formatHex(model.register.get(offset, length));
    }

    private String ring(int block, int length) {
        return HexFormat.of().formatHex(model.sends.get(block * 64, length));
    }

    @Test
    void aLoneWqeIsCopiedToTheBlueFlameBuffersInTurn() {
        post(SendRequest.send(1, Sge.of(memory, 0, 16)).signalled());
        String expected = "0000000a" + String.format("%06x", qp.number()) + "02" + "00000008" + "00000000"
                + "00000010" + String.format("%08x%016x", memory.lkey(), memory.address());
        assertEquals(expected, ring(0, 32));
        assertEquals(ring(0, 64), register(0, 64));
        assertEquals("00".repeat(64), register(256, 64));
        assertEquals(1, model.record.getInt(4));
        post(SendRequest.write(2, 0x1000, 7, Sge.of(memory, 0, 8), Sge.of(memory, 8, 8), Sge.of(memory, 16, 8)));
        assertEquals("00000108" + String.format("%06x", qp.number()) + "05", ring(1, 8));
        assertEquals(ring(1, 128), register(256, 128));
        assertEquals(3, model.record.getInt(4));
    }

    @Test
    void severalWqesRingWithTheFirstBytesOfTheLast() {
        assertEquals(2, qp.prepareSend(SendRequest.send(1, Sge.of(memory, 0, 16)),
                SendRequest.write(2, 0x1000, 7, Sge.of(memory, 0, 8))).execute());
        assertEquals(ring(1, 8), register(0, 8));
        assertEquals("00".repeat(8), register(8, 8));
        assertEquals(2, model.record.getInt(4));
    }

    @Test
    void aWqeThatGoesRoundTheEndOfTheRingIsCopiedWhole() {
        int blocks = model.sendBlocks;
        WorkCompletion done = new WorkCompletion();
        for (int i = 0; i < blocks - 1; i++) {
            post(SendRequest.send(i, Sge.of(memory, 0, 16)).signalled());
            complete(i, 0);
            assertTrue(cq.poll(done));
        }
        post(SendRequest.write(2, 0x1000, 7, Sge.of(memory, 0, 8), Sge.of(memory, 8, 8), Sge.of(memory, 16, 8)));
        int buffer = (blocks - 1 & 1) * 256;
        assertEquals(ring(blocks - 1, 64) + ring(0, 64), register(buffer, 128));
        assertEquals(blocks + 1, model.record.getInt(4));
    }

    private void complete(int counter, int syndrome) {
        ModelCq.Entry entry = new ModelCq.Entry();
        entry.opcode = syndrome == 0 ? 0 : 13;
        entry.sendOpcode = 0x0a;
        entry.qpn = qp.number();
        entry.counter = counter & 0xffff;
        entry.syndrome = syndrome;
        assertTrue(model.sendCq.write(entry));
    }

    @Test
    void receivesArePublishedByTheRecordAlone() {
        assertEquals(1, qp.prepareReceive(ReceiveRequest.of(1, Sge.of(memory, 64, 32))).execute());
        assertEquals(1, model.record.getInt(0));
        assertEquals("00000020" + String.format("%08x%016x", memory.lkey(), memory.address() + 64)
                + "00000000" + "00000100" + "00".repeat(8), HexFormat.of().formatHex(model.receives.get(0, 32)));
        assertEquals("00".repeat(8), register(0, 8));
    }

    @Test
    void armingWritesTheRecordAndRingsThePageOfCqs() {
        ModelCq card = model.sendCq;
        post(SendRequest.send(1, Sge.of(memory, 0, 16)).signalled());
        complete(0, 0);
        assertTrue(cq.poll(wc));
        assertEquals(1, card.record.getInt(0), "consumer index");
        cq.arm();
        assertEquals(1, card.record.getInt(4), "sequence 0, any completion, index 1");
        assertEquals(1L << 32 | ((Mlx5CompletionQueue) cq).number(), device.card.cqPage.getLong(0x20));
        card.lookAtArming();
        post(SendRequest.send(2, Sge.of(memory, 0, 16)).signalled());
        complete(1, 0);
        assertTrue(channel.await(5_000_000_000L), "the event of the pipe");
        assertTrue(cq.poll(wc));
        cq.arm();
        assertEquals(1 << 28 | 2, card.record.getInt(4), "sequence 1 after an event");
        assertEquals(card.reported, card.acknowledged);
    }

    @Test
    void anUnknownSyndromeIsAGeneralErrorAndTheQpIsInError() {
        for (int syndrome : List.of(0x03, 0x07, 0x23, 0xff)) {
            post(SendRequest.send(syndrome, Sge.of(memory, 0, 16)));
            complete(model.record.getInt(4) - 1, syndrome);
            assertTrue(cq.poll(wc));
            assertEquals(WcStatus.GENERAL_ERR, wc.status());
            assertEquals(syndrome, wc.wrId());
        }
        assertEquals(QueuePairState.ERR, qp.state());
    }

    @Test
    void aNumberOfAClosedQpIsNotTakenWhileItsCompletionsMayBeLeft() {
        post(SendRequest.send(1, Sge.of(memory, 0, 16)).signalled());
        complete(0, 0);
        int number = qp.number();
        qp.close();
        device.verbs.nextQpn = number;
        QueuePair other = create();
        assertTrue(other.number() != number, "number=" + number);
        assertEquals(1, device.verbs.destroyedQps, "the one with the old number");
        assertFalse(cq.poll(wc), "the completion is nobody's");
        device.verbs.nextQpn = number;
        assertEquals(number, create().number(), "once the ring was empty it may come back");
    }

    @Test
    void aClosedQpStaysInMemoryUntilItsCqGoes() {
        qp.close();
        assertEquals(Ibv.QPS_RESET, model.state);
        assertEquals(0, device.verbs.destroyedQps);
        cq.close();
        assertEquals(1, device.verbs.destroyedQps);
        assertFalse(cq.poll(wc), "a closed CQ is not looked at");
    }

    @Test
    void receivesPostedBeforeAConnectionThatFailsAreStillPublished() {
        QueuePair fresh = create();
        fresh.init();
        assertEquals(1, fresh.prepareReceive(ReceiveRequest.of(1, Sge.of(memory, 64, 32))).execute());
        ModelQp card = device.card.qps.values().stream().filter(found -> found.number == fresh.number()).findFirst()
                .orElseThrow();
        device.verbs.refusedState = Ibv.QPS_RTS;
        assertThrows(VerbsException.class, () -> fresh.connect(qp.endpoint()));
        assertEquals(Ibv.QPS_INIT, card.state);
        assertEquals(1, card.record.getInt(0));
    }

    @Test
    void aCardWithoutAtomicsInHostOrderRefusesThem() {
        ModelDevice other = new ModelDevice(0);
        ProtectionDomain domain = other.allocatePd();
        CompletionQueue queue = other.createCq(CompletionQueueAttributes.ofDepth(8));
        QueuePair plain = domain.createQp(new QueuePairAttributes(queue, queue));
        VerbsException e = assertThrows(VerbsException.class,
                () -> plain.prepareSend(SendRequest.fetchAndAdd(1, 0, 0, 1, new Sge(0, 8, 0))));
        assertTrue(e.getMessage().contains("byte order"), e.getMessage());
        other.close();
    }
}
