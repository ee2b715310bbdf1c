package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.softrnic.shm.folder.NameLock;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** A listener by a clock of the test's: peers that say nothing, a socket that is deleted, a rest, the end. */
class ShmListenerTest {

    private static final long LOOK_NS = 500_000_000;
    private static final long REST_NS = 100_000_000;
    /** That of the names of files. */
    private static final Charset NATIVE = Charset.forName(System.getProperty("native.encoding"));

    private final RawPeers rig = new RawPeers();

    @AfterEach
    void close() {
        rig.close();
    }

    private ShmListener own() {
        return (ShmListener) rig.listener;
    }

    private void look() {
        rig.nowNs += LOOK_NS;
        rig.channel.await(0);
    }

    private void assertAccepts() throws IOException {
        ShmEnd end = rig.end();
        SocketChannel peer = rig.peer();
        ConnectionRequest request = rig.ask(peer, end.qp.endpoint());
        assertNotNull(request, "nobody is offered");
        request.reject(RawPeers.WORD);
        assertEquals(CmFrame.REJECT, RawPeers.heard(peer).type());
    }

    // ---- peers that say nothing

    @Test
    void aPeerThatAsksForNothingIsLetGoWhenFiveSecondsAreOver() throws IOException {
        SocketChannel peer = rig.peer();
        rig.nowNs += 5_000_000_000L;
        rig.channel.await(0);
        assertFalse(RawPeers.isEnded(peer));
        rig.nowNs++;
        rig.channel.await(0);
        assertTrue(RawPeers.isEnded(peer));
        assertAccepts();
    }

    @Test
    void ofThoseWhoSayNothingTwoHundredFiftySixMayStayAndTheOldestMakesWay() throws IOException {
        List<SocketChannel> mute = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            mute.add(rig.peer());
        }
        assertFalse(RawPeers.isEnded(mute.get(0)));
        rig.peer();
        assertTrue(RawPeers.isEnded(mute.get(0)));
        assertFalse(RawPeers.isEnded(mute.get(1)));
        assertAccepts();
        assertTrue(RawPeers.isEnded(mute.get(1)));
        assertFalse(RawPeers.isEnded(mute.get(2)));
        rig.peer();
        assertFalse(RawPeers.isEnded(mute.get(2)), "who was answered has made a place free");
    }

    @Test
    void whoHasAskedForSomethingDoesNotMakeWay() throws IOException {
        SocketChannel asks = rig.peer();
        assertNotNull(rig.ask(asks, rig.end().qp.endpoint()));
        SocketChannel first = rig.peer();
        for (int i = 0; i < 255; i++) {
            rig.peer();
        }
        assertFalse(RawPeers.isEnded(asks));
        assertFalse(RawPeers.isEnded(first), "there is room for 256");
    }

    // ---- the name

    @Test
    void aNameThatIsOnlyLookedAtIsWaitedForForATenthOfASecond() throws IOException {
        String name = RawPeers.name(rig.listener) + "-held";
        NameLock lock = NameLock.take(SharedMemoryFolder.path(), name);
        long[] clock = {0};
        boolean[] runs = {false};
        LongSupplier time = () -> clock[0] += runs[0] ? 50_000_000 : 0;
        try (Device device = ShmUnderTest.open(time); EventChannel channel = device.createChannel()) {
            runs[0] = true;
            long startNs = clock[0];
            String why = assertThrows(VerbsException.class, () -> device.listen("shm://" + name, channel))
                    .getMessage();
            assertTrue(why.contains("is in use by a living process"), why);
            assertEquals(250_000_000, clock[0] - startNs, "two looks at the time, and three until 100 ms are over");
            lock.release();
            device.listen("shm://" + name, channel).close();
        }
    }

    @Test
    void whoListensSweepsUpSocketsOfTheDead() throws IOException {
        Path dead = Files.createFile(ShmDirectory.socket(SharedMemoryFolder.path(), "dead"));
        rig.device.listen(SharedMemoryFolder.freshAddress(), rig.channel).close();
        assertFalse(Files.exists(dead));
        assertTrue(Files.exists(rig.socket));
        rig.device.listen("shm://dead", rig.channel).close(); // its name is free
    }

    @Test
    void whereASocketCannotBeMadeTheNameStaysFree() throws IOException {
        Path socket = ShmDirectory.socket(SharedMemoryFolder.path(), "blocked");
        Path inside = Files.createDirectories(socket.resolve("inside")); // it is not deleted
        String why = assertThrows(VerbsException.class, () -> rig.device.listen("shm://blocked", rig.channel))
                .getMessage();
        assertTrue(why.contains("shm://blocked (" + socket + ")"), why);
        Files.delete(inside);
        Files.delete(socket);
        rig.device.listen("shm://blocked", rig.channel).close();
    }

    // ---- a socket that is deleted

    @Test
    void aFolderThatIsDeletedIsMadeAgainAndConnectionsEnd() throws IOException {
        ShmEnd end = rig.end();
        String before = rig.device.name();
        try (var files = Files.walk(SharedMemoryFolder.path())) {
            files.sorted(Comparator.reverseOrder()).filter(file -> !file.equals(SharedMemoryFolder.path()))
                    .forEach(file -> file.toFile().delete());
        }
        look();
        assertNotEquals(before, rig.device.name());
        assertTrue(Files.exists(SharedMemoryFolder.path().resolve(rig.device.name())));
        assertEquals(QueuePairState.ERR, end.qp.state());
        assertAccepts();
    }

    @Test
    void aSocketThatWasDeletedIsMissedEachHalfSecondAndBoundAgain() throws IOException {
        Files.delete(rig.socket);
        rig.nowNs += LOOK_NS - 1;
        rig.channel.await(0);
        assertFalse(Files.exists(rig.socket), "it was just there");
        rig.nowNs++;
        rig.channel.await(0);
        assertTrue(Files.exists(rig.socket));
        assertAccepts();
        Files.delete(rig.socket);
        rig.nowNs += LOOK_NS - 1;
        rig.channel.await(0);
        assertFalse(Files.exists(rig.socket), "it was just there");
        rig.nowNs++;
        rig.channel.await(0);
        assertAccepts();
    }

    @Test
    void aSocketThatCannotBeBoundAgainIsTriedAgainLaterAndTheNameIsItsOwn() throws IOException {
        Path locks = SharedMemoryFolder.path().resolve(NameLock.FILE);
        Path aside = Files.move(locks, locks.resolveSibling("names.aside"));
        try {
            Files.createSymbolicLink(locks, aside);
            Files.delete(rig.socket);
            look();
            look();
            assertFalse(Files.exists(rig.socket), "its name cannot be locked");
            rig.listener.poll();
        } finally {
            Files.move(aside, locks, StandardCopyOption.REPLACE_EXISTING);
        }
        look();
        assertAccepts();
        assertNull(NameLock.take(SharedMemoryFolder.path(), RawPeers.name(rig.listener)));
    }

    // ---- a rest

    @Test
    void aListenerThatRestsAcceptsAgainWhenATenthOfASecondIsOver() throws IOException {
        assertEquals(LOOK_NS, own().intervalNs());
        own().rest(new IOException("too many open files, the test says"));
        assertFalse(own().ready());
        assertEquals(REST_NS, own().intervalNs(), "it has found nobody");
        try (SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(rig.socket))) {
            CmFrame.of(CmFrame.REQUEST, rig.end().qp.endpoint(), RawPeers.WORD).write(peer);
            rig.nowNs += REST_NS - 1;
            rig.channel.await(0);
            rig.channel.await(0);
            assertNull(rig.listener.poll());
            rig.nowNs++;
            rig.channel.await(0);
            assertEquals(REST_NS, own().intervalNs(), "it has accepted nobody");
            rig.channel.await(0);
            assertNotNull(rig.listener.poll());
            assertEquals(LOOK_NS, own().intervalNs());
        }
    }

    // ---- the end

    @Test
    void closingFreesTheNameAndEndsThoseWhoWaitForAnAnswerAndItMayBeDoneTwice() throws IOException {
        SocketChannel one = rig.peer();
        SocketChannel two = rig.peer();
        for (SocketChannel peer : List.of(one, two)) {
            rig.say(peer, CmFrame.of(CmFrame.REQUEST, rig.end().qp.endpoint(), RawPeers.WORD));
            assertFalse(RawPeers.isEnded(peer));
        }
        rig.listener.close();
        assertTrue(RawPeers.isEnded(one) && RawPeers.isEnded(two));
        assertNull(rig.listener.poll());
        assertFalse(Files.exists(rig.socket));
        NameLock lock = NameLock.take(SharedMemoryFolder.path(), RawPeers.name(rig.listener));
        assertNotNull(lock, "the name is free");
        Files.createFile(rig.socket);
        rig.listener.close();
        look();
        assertTrue(Files.exists(rig.socket), "it is another's");
        Files.delete(rig.socket);
        look();
        own().tick(rig.nowNs + LOOK_NS);
        assertFalse(Files.exists(rig.socket), "it is not bound again");
        lock.release();
    }

    @Test
    void whoHasNotAskedYetWhenTheListenerClosesIsEndedToo() throws IOException {
        SocketChannel mute = rig.peer();
        SocketChannel late = rig.peer();
        ShmHandshake asked = (ShmHandshake) rig.ask(late, rig.end().qp.endpoint());
        rig.listener.close();
        assertTrue(RawPeers.isEnded(mute), "it would wait for an answer that nobody gives");
        assertFalse(RawPeers.isEnded(late), "it was taken");
        own().offer(asked); // as a thread does that has just read its request
        assertTrue(RawPeers.isEnded(late));
        assertNull(rig.listener.poll());
    }

    @Test
    void ofThoseWhoWereLetGoTheChannelKnowsNothing() throws IOException {
        rig.peer();
        rig.nowNs += 5_000_000_001L;
        rig.channel.await(0);
        rig.listener.close();
        rig.looks = 0;
        rig.channel.await(0);
        assertEquals(0, rig.looks, "somebody is told the time still");
    }

    private Listener closed() {
        Listener listener = rig.device.listen(SharedMemoryFolder.freshAddress(), rig.channel);
        listener.close();
        rig.channel.await(0);
        return listener;
    }

    @Test
    void aListenerThatIsClosedIsForgotten() {
        WeakReference<Listener> closed = new WeakReference<>(closed());
        Waits.until("the collector to take it", () -> {
            System.gc();
            return closed.get() == null;
        });
    }

    /** Letters of one byte, and of two where the system's names have such. */
    static List<String> letters() {
        return NATIVE.newEncoder().canEncode('\u00e4') ? List.of("f", "\u00e4") : List.of("f");
    }

    @ParameterizedTest
    @MethodSource("letters")
    void anAddressTooLongForASocketIsRefusedWithItsPathAndTheLongestIsNot(String letter) {
        Path folder = SharedMemoryFolder.path();
        int more = 106 - folder.toString().length() - "//.sock".length() - 10;
        int bytes = letter.getBytes(NATIVE).length;
        Path deeper = ShmDirectory.open(folder.resolve(letter.repeat(more / bytes) + "f".repeat(more % bytes)));
        System.setProperty(ShmDirectory.PROPERTY, deeper.toString());
        try (Device device = ShmUnderTest.open(); EventChannel channel = device.createChannel()) {
            device.listen("shm://" + "x".repeat(10), channel).close();
            String why = assertThrows(VerbsException.class, () -> device.listen("shm://" + "x".repeat(11), channel))
                    .getMessage();
            assertTrue(why.contains("longer than 106 bytes: " + folder), why);
        } finally {
            System.setProperty(ShmDirectory.PROPERTY, folder.toString());
        }
    }
}
