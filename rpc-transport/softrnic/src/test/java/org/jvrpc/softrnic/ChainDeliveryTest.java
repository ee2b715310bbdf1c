package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.ChainEnd.Queue;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.softrnic.chain.QueueContext;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
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
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.host.ProcessId;

/** Messages from an ordinary QP of another device to a cross-channel one, and back. */
class ChainDeliveryTest {

    private final ChainEnd server = new ChainEnd(ShmUnderTest.open());
    private final Device client = ShmUnderTest.open();
    private final ProtectionDomain pd = client.allocatePd();
    private final MemoryRegion mr = pd.allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final ByteBuffer memory = mr.buffer(0, 4096);
    private final CompletionQueue cq = client.createCq(CompletionQueueAttributes.ofDepth(64));
    private final QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq)
            .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 1));
    private final WorkCompletion wc = new WorkCompletion();
    private final Queue kick = server.loopback(8, false, true);
    private final Queue end = server.queue(8, true, true, true);

    @BeforeEach
    void connect() {
        qp.init();
        end.qp.connect(qp.endpoint());
        qp.connect(end.qp.endpoint());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private Sge sge(int offset, int length) {
        return new Sge(mr.address() + offset, length, mr.lkey());
    }

    private void receive(Sge... sges) {
        assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(0, sges)).execute());
    }

    private void send(int bytes) {
        send(bytes, true);
    }

    /** What is not signalled goes the short way. */
    private void send(int bytes, boolean signalled) {
        SendRequest request = SendRequest.send(5, sge(0, bytes));
        assertEquals(1, qp.prepareSend(signalled ? request.signalled() : request).execute());
    }

    private WcStatus nextStatus() {
        assertTrue(cq.poll(wc), "no completion");
        return wc.status();
    }

    @Test
    void aManagedReceiveQueueTakesMessagesAsFarAsItIsEnabled() {
        receive(new Sge(server.mr.address(), 8, server.mr.lkey()));
        receive(new Sge(server.mr.address() + 8, 8, server.mr.lkey()));
        memory.putLong(0, 77);
        kick.post(Code.enableReceive(end.qp, 1));
        send(8);
        assertEquals(WcStatus.SUCCESS, nextStatus());
        assertEquals(77, server.memory.getLong(0));
        send(8);
        assertFalse(cq.poll(wc), "the second receive was not enabled");
        kick.post(Code.enableReceive(end.qp, 2));
        for (int i = 0; i < 1_000_000 && !cq.poll(wc); i++) {
            Thread.onSpinWait();
        }
        assertEquals(77, server.memory.getLong(8), "enabled, and the stalled send went on");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReceiveScattersToSixteenPiecesOfAnyLength(boolean signalled) {
        List<Sge> pieces = new ArrayList<>();
        int sum = 0;
        for (int i = 0; i < 16; i++) {
            pieces.add(new Sge(server.mr.address() + 100 * i + i % 3, 1 + i % 7, server.mr.lkey()));
            sum += 1 + i % 7;
        }
        int total = sum;
        receive(pieces.toArray(new Sge[0]));
        kick.post(Code.enableReceive(end.qp, 1));
        for (int i = 0; i < total; i++) {
            memory.put(i, (byte) (i + 1));
        }
        send(total, signalled);
        assertEquals(signalled, cq.poll(wc) && wc.succeeded());
        assertTrue(end.cq.poll(wc) && wc.byteLength() == total, wc::toString);
        int next = 1;
        for (int i = 0; i < 16; i++) {
            for (int b = 0; b < 1 + i % 7; b++) {
                assertEquals(next++, server.memory.get(100 * i + i % 3 + b), "piece " + i + " byte " + b);
            }
            assertEquals(0, server.memory.get(100 * i + i % 3 + 1 + i % 7), "byte behind piece " + i);
        }
    }

    private long[] words(int segments, long flags, int length, int key) {
        return new long[] {(long) Wqe.opmodIndexOpcode(0, 0, Wqe.SEND) << 32 | (long) qp.number() << 8 | segments,
            flags << 32, (long) length << 32 | key, mr.address(), 0, 0, 0, 0};
    }

    @Test
    void aDoorbellTakesAShortMessageToAChainAndRefusesWhatIsUnusual() {
        receive(new Sge(server.mr.address() + 10, 5, server.mr.lkey()),
                new Sge(server.mr.address() + 100, 3, server.mr.lkey()),
                new Sge(server.mr.address() + 200, 3, server.mr.lkey()));
        SendEngine engine = ((SoftQueuePair) ((Mlx5QueuePair) qp).control()).engine();
        int key = mr.lkey();
        assertFalse(engine.push(0, words(2, 0, 8, key)), "the receive is not enabled");
        kick.post(Code.enableReceive(end.qp, 1));
        assertFalse(engine.push(0, words(2, Wqe.CE_ALWAYS, 8, key)), "it is signalled");
        assertFalse(engine.push(0, words(3, 0, 8, key)), "two pieces");
        assertFalse(engine.push(0, words(2, 0, 0, key)), "no bytes");
        assertFalse(engine.push(0, words(2, 0, 8, key + 1)), "no such key");
        assertFalse(engine.push(0, words(2, 0, 12, key)), "longer than the receive");
        assertFalse(end.cq.poll(wc), "nothing came");
        for (int i = 0; i < 11; i++) {
            memory.put(i, (byte) (i + 1));
        }
        server.memory.putLong(8, 0).putLong(96, 0).putLong(200, 0);
        assertTrue(engine.push(0, words(2, 0, 11, key)));
        assertTrue(end.cq.poll(wc) && wc.byteLength() == 11, wc::toString);
        for (int i = 0; i < 11; i++) {
            assertEquals(i + 1, server.memory.get(i < 5 ? 10 + i : i < 8 ? 95 + i : 192 + i), "byte " + i);
        }
        assertEquals(0, server.memory.get(15));
        assertEquals(0, server.memory.get(103));
        assertEquals(0, server.memory.get(203));
        assertFalse(engine.push(1, words(2, 0, 8, key)), "there is no receive any more");
        assertFalse(engine.isStalled());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMessageLongerThanItsReceiveFailsBothEnds(boolean signalled) {
        receive(new Sge(server.mr.address(), 8, server.mr.lkey()));
        kick.post(Code.enableReceive(end.qp, 1));
        send(9, signalled);
        assertEquals(WcStatus.REM_INV_REQ_ERR, nextStatus());
        assertEquals(QueuePairState.ERR, end.qp.state());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReceiveIntoMemoryOfAnotherDomainFailsBothEnds(boolean signalled) {
        ChainEnd other = new ChainEnd(server.device);
        receive(new Sge(other.mr.address(), 8, other.mr.lkey()));
        kick.post(Code.enableReceive(end.qp, 1));
        send(8, signalled);
        assertEquals(WcStatus.REM_OP_ERR, nextStatus());
        assertEquals(0, other.memory.getLong(0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChainAnswersByMessageAndByWriteWithImmediate(boolean signalled) {
        assertEquals(2, qp.prepareReceive(ReceiveRequest.of(1, sge(256, 64)), ReceiveRequest.of(2, sge(320, 64)))
                .execute());
        server.memory.putLong(0, 41);
        receive(new Sge(server.mr.address() + 8, 8, server.mr.lkey()));
        end.load(0, Code.waitFor(end.cq, 0), Code.send(server.piece(0, 16)),
                Code.writeImmediate(99, mr.address() + 512, mr.rkey(), server.piece(8, 8)));
        kick.post(Code.enableReceive(end.qp, 1), Code.enable(end.qp, 3));
        memory.putLong(0, 42);
        send(8, signalled);
        List<WcOpcode> seen = new ArrayList<>();
        while (cq.poll(wc)) {
            assertEquals(WcStatus.SUCCESS, wc.status());
            seen.add(wc.opcode());
        }
        assertEquals(signalled, seen.remove(WcOpcode.SEND));
        assertEquals(2, seen.size(), seen.toString());
        assertTrue(seen.containsAll(List.of(WcOpcode.RECV, WcOpcode.RECV_RDMA_WITH_IMM)), seen + "");
        assertEquals(41, memory.getLong(256));
        assertEquals(42, memory.getLong(264));
        assertEquals(42, memory.getLong(512));
    }

    @Test
    void aChainOfAnotherProcessIsRunByWhoSendsAndThenLetsGoOfThoseItSentTo() {
        SoftDevice device = (SoftDevice) server.device;
        device.node().remove(((SoftChains) server.chains).group()); // as if it were not of this process
        QueuePair sender = pd.createQp(new QueuePairAttributes(cq, cq));
        sender.init();
        Queue far = server.queue(8, true, true, true);
        far.qp.connect(sender.endpoint());
        sender.connect(far.qp.endpoint());
        assertEquals(1, sender.prepareReceive(ReceiveRequest.of(1, sge(256, 64))).execute());
        assertEquals(1, far.qp.prepareReceive(ReceiveRequest.of(0, new Sge(
                server.mr.address() + 8, 8, server.mr.lkey()))).execute());
        far.load(0, Code.waitFor(far.cq, 0), Code.send(server.piece(0, 16)));
        kick.post(Code.enableReceive(far.qp, 1), Code.enable(far.qp, 2));
        server.memory.putLong(0, 41);
        memory.putLong(0, 42);
        assertEquals(1, sender.prepareSend(SendRequest.send(5, sge(0, 8))).execute());
        assertEquals(WcStatus.SUCCESS, nextStatus());
        assertEquals(41, memory.getLong(256));
        assertEquals(42, memory.getLong(264));
        sender.close();
        server.close();
        client.close();
        assertFalse(Files.exists(((SoftDevice) client).folder()), "somebody has the client's memory");
    }

    @Test
    void aChainThatWritesOutsideTheClientsMemoryFailsItsOwnQueueOnly() {
        receive(new Sge(server.mr.address() + 8, 8, server.mr.lkey()));
        end.load(0, Code.waitFor(end.cq, 0), Code.write(mr.address() + 4090, mr.rkey(), server.piece(0, 8)));
        kick.post(Code.enableReceive(end.qp, 1), Code.enable(end.qp, 2));
        send(8);
        assertEquals(WcStatus.SUCCESS, nextStatus(), "the message itself arrived");
        assertEquals(QueuePairState.ERR, end.qp.state());
        assertEquals(QueuePairState.RTS, kick.qp.state());
    }

    @Test
    void aClientCannotReachTheCodeOfItsChainWithoutItsKey() {
        qp.prepareSend(SendRequest.write(1, end.code.address(), server.mr.rkey(), sge(0, 8))).execute();
        assertEquals(WcStatus.REM_ACCESS_ERR, nextStatus(), "a key of other memory");
    }

    @Test
    void whatADeadProcessHeldIsTakenOverAndCutOff() {
        SoftChains chains = (SoftChains) server.chains;
        ChainGroup group = chains.group();
        Slab slab = server.device instanceof SoftDevice soft ? soft.arena().find(group.address(), 8) : null;
        long nobody = ProcessId.of(0x3ffff0); // no process has this number
        assertEquals(0, GroupContext.claim(slab.window(group.address()), group.context(), nobody));
        receive(new Sge(server.mr.address() + 8, 8, server.mr.lkey()));
        send(8);
        assertEquals(WcStatus.RETRY_EXC_ERR, nextStatus());
        assertTrue(server.chains.isCutOff());
        assertEquals(QueuePairState.ERR, end.qp.state());
    }

    /** The owner waits a moment for a process that lives, such as one that is stopped. */
    @Test
    void whatAStoppedProcessHoldsIsTakenFromItAndCutOffAlsoWhenItGoesOn() {
        ChainGroup group = ((SoftChains) server.chains).group();
        ByteBuffer shared = ((SoftDevice) server.device).arena()
                .require(group.address(), GroupContext.BYTES, "group").window(group.address());
        assertEquals(0, GroupContext.claim(shared, group.context(), ProcessId.of(1)));
        server.queue(8, false, false, true);
        assertTrue(server.chains.isCutOff());
        GroupContext.release(shared, group.context());
        receive(new Sge(server.mr.address() + 8, 8, server.mr.lkey()));
        send(8);
        assertEquals(WcStatus.RETRY_EXC_ERR, nextStatus());
        assertEquals(QueuePairState.ERR, end.qp.state());
    }

    @Test
    void whoSleepsIsWokenThoughAnotherProcessRunsTheChainThatSendsToIt() {
        EventChannel channel = client.createChannel();
        CompletionQueue slept = client.createCq(CompletionQueueAttributes.ofDepth(8).withChannel(channel));
        QueuePair sleeper = pd.createQp(new QueuePairAttributes(cq, slept));
        sleeper.init();
        Queue sender = server.queue(8, false, false, true);
        sender.qp.connect(sleeper.endpoint());
        sleeper.connect(sender.qp.endpoint());
        assertEquals(1, sleeper.prepareReceive(ReceiveRequest.of(3, sge(0, 8))).execute());
        slept.arm();
        // As a process does that has no socket to this one: it takes the arming, and can tell nobody.
        SoftCompletionQueue own = ((SoftDevice) client).own(slept);
        CqWriter afar = new CqWriter(own.slab(), own.address(), sleeper.number(), () -> { }, true);
        int at = afar.claim();
        BigEndian.putInt(afar.memory(), at + Cqe.BYTE_COUNT, 8);
        afar.publish(at, 0, 0, Cqe.RESP_SEND, 0);
        long startNs = System.nanoTime();
        channel.await(Deadline.BOUND_NS);
        assertTrue(System.nanoTime() - startNs < Deadline.BOUND_NS, "nothing woke the sleeper");
        assertTrue(slept.poll(wc));
        assertEquals(3, wc.wrId());
    }

    @Test
    void aQueueWhosePeerMakesNoSenseFailsAloneAndNotWhoeverRunsIt() {
        ChainGroup group = ((SoftChains) server.chains).group();
        AddressSpace arena = ((SoftDevice) server.device).arena();
        ByteBuffer shared = arena.require(group.address(), GroupContext.BYTES, "group").window(group.address());
        for (int place = 0; place < GroupContext.PLACES; place++) {
            long queue = GroupContext.queue(shared, group.context(), place);
            ByteBuffer context = queue == 0 ? null : arena.require(queue, QueueContext.BYTES, "queue").window(queue);
            if (queue != 0 && QueueContext.qpn(context, Slab.index(queue)) == end.qp.number()) {
                QueueContext.connect(context, Slab.index(queue), client.name(), 0x1234);
            }
        }
        end.load(0, Code.send(server.piece(0, 8)).signalled());
        kick.post(Code.enable(end.qp, 1));
        assertEquals(QueuePairState.ERR, end.qp.state());
        assertTrue(end.cq.poll(wc));
        assertEquals(WcStatus.RETRY_EXC_ERR, wc.status());
        assertEquals(QueuePairState.RTS, kick.qp.state());
    }

    @Test
    void thePeerOfAChainMustNotHaveAnExclusiveQueueForItsReceives() {
        CompletionQueue exclusive =
                client.createCq(new CompletionQueueAttributes(8, 64, true, false, null));
        QueuePair lonely = pd.createQp(new QueuePairAttributes(cq, exclusive));
        lonely.init();
        Queue other = server.queue(8, true, true, true);
        VerbsException e = assertThrows(VerbsException.class, () -> other.qp.connect(lonely.endpoint()));
        assertTrue(e.getMessage().contains("exclusive"), e.getMessage());
    }
}
