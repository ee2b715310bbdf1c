package org.jvrpc.router.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.router.engine.memory.PushIn;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.softrnic.router.wire.SubmitRing;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;

/**
 * How often a tenant's driver rings by a frame while nobody executes what it posts: far more than the submit ring and
 * its doorbell hold. The socket is read; who hears is the test.
 */
class DoorbellFramesTest extends Switchboard {

    private static final int POSTS = 5 * SubmitRing.ENTRIES;
    private static final int HEARINGS = 4;
    /** Of messages that go through the submit ring, and of those that do not. */
    private static final int SHORT = 64;
    private static final int LONG = SubmitRing.MAX_MESSAGE + 1;

    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private Device device;
    private QueuePair qp;
    private MemoryRegion memory;
    private PushIn ring;

    private <T extends AutoCloseable> T keep(T child) {
        made.push(child);
        return child;
    }

    @AfterEach
    void closeDevice() throws Exception {
        while (!made.isEmpty()) {
            made.pop().close();
        }
    }

    /** Attaches a device of the first tenant by a door in a folder, as drivers look for it, with a QP in RTS. */
    private void begin(boolean lazy) throws IOException {
        Path home = Files.createDirectory(folder.resolve("home"));
        ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        door.bind(UnixDomainSocketAddress.of(home.resolve("s")));
        sessions.listen(ONE, door);
        Slab[] slabs = new Slab[64];
        opening = note -> CompletableFuture.completedFuture(slabs[note.segment()] = map(home, note));
        device = keep(Devices.open("router://10.77.0.1:0?dir=" + home));
        CompletionQueue cq = keep(device.createCq(CompletionQueueAttributes.ofDepth(16)));
        ProtectionDomain pd = keep(device.allocatePd());
        QueuePairAttributes attributes =
                new QueuePairAttributes(cq, cq).lazyWake(lazy).depth(2 * (HEARINGS + 1) * POSTS, 16);
        QueuePair peer = keep(pd.createQp(attributes));
        qp = keep(pd.createQp(attributes));
        memory = keep(pd.allocate(4096, Access.LOCAL_WRITE));
        qp.init();
        peer.init();
        qp.connect(peer.endpoint());
        QpNote note = qps.stream().filter(one -> one.number() == qp.number()).findFirst().orElseThrow();
        assertNotEquals(0, note.submit(), "there is no submit ring");
        ring = new PushIn(slabs[Slab.segmentOf(note.submit())].window(note.submit()), Slab.index(note.submit()));
    }

    private static Slab map(Path home, SlabNote note) {
        Path file = home.resolve(note.device()).resolve(Integer.toString(note.file()));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return Slab.of(channel, note.segment(), note.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Posts short messages and long ones, as a link does that looks for answers in between. */
    private void postMany() {
        PostSend brief = qp.prepareSend(SendRequest.send(1, Sge.of(memory, 0, SHORT)));
        PostSend longer = qp.prepareSend(SendRequest.send(2, Sge.of(memory, 0, LONG)));
        for (int i = 0; i < POSTS; i++) {
            assertEquals(1, brief.execute(), "no room for post " + i);
            if (i % 4 == 3) {
                assertEquals(1, longer.execute(), "no room behind post " + i);
            }
            qp.wakePeer();
        }
        brief.free();
        longer.free();
    }

    /** Returns how many doorbells came, when all that was said before is read: its answer comes behind them. */
    private long frames() {
        device.createCq(CompletionQueueAttributes.ofDepth(16)).close();
        return asked.stream().filter(("one ring " + qp.number())::equals).count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFullRingIsRungForOnceUntilThatIsHeard(boolean lazy) throws IOException {
        begin(lazy);
        assertEquals(0, frames());
        postMany();
        assertEquals(1, frames(), "frames of posts that nobody has heard of");
        for (int hearing = 2; hearing <= HEARINGS; hearing++) {
            ring.heard();
            assertEquals(hearing - 1, frames(), "to be heard is no reason to ring");
            postMany();
            assertEquals(hearing, frames(), "frames of as many hearings");
        }
    }

    /** Its worker may find no processor, and whoever gives a connection up for that loses all calls in it. */
    @Test
    void aSendIsWaitedForAsLongAsAnAnswerOfTheRouter() throws IOException {
        begin(true);
        assertTrue(device.longestSendNs() >= 5_000_000_000L, "ns=" + device.longestSendNs());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRouterThatLooksByItselfIsNotRungFor(boolean lazy) throws IOException {
        begin(lazy);
        ring.hot(true);
        postMany();
        assertEquals(0, frames());
        ring.hot(false);
        postMany();
        assertEquals(1, frames(), "it looks no more");
    }
}
