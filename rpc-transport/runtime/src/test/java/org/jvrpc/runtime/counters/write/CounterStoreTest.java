package org.jvrpc.runtime.counters.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.counters.CounterFileException;
import org.jvrpc.runtime.counters.CounterFileException.Reason;
import org.jvrpc.runtime.counters.CounterFiles;
import org.jvrpc.runtime.counters.CounterLayout;
import org.jvrpc.runtime.counters.CounterSource;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.MethodCounters;
import org.jvrpc.runtime.counters.ProcessCounters;
import org.jvrpc.runtime.counters.SessionCounters;
import org.jvrpc.testing.UnreapedChild;
import org.jvrpc.verbs.host.ProcessId;

/** The file of a process, as it is written and as others read it. */
class CounterStoreTest {

    private static final int CAPACITY = 1 << 18;

    @TempDir
    private Path temporary;
    private Path folder;
    private CounterStore store;

    @BeforeEach
    void make() throws IOException {
        folder = temporary.resolve("counters");
        store = CounterStore.create(folder, CAPACITY);
    }

    private static void call(MethodBlock method, int times) {
        for (int i = 0; i < times; i++) {
            int weight = method.weight();
            method.begun();
            method.came(3);
            method.left(5);
            method.succeeded();
            if (weight > 0) {
                method.took(1000, weight);
            }
        }
    }

    private static void assertRefused(Reason reason, Path file) {
        CounterFileException e = assertThrows(CounterFileException.class, () -> Counters.open(file));
        assertEquals(reason, e.reason(), e.getMessage());
        assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }

    private void write(int at, byte... bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(store.file().toFile(), "rw")) {
            file.seek(at);
            file.write(bytes);
        }
    }

    @Test
    void othersReadWhatIsCounted() {
        Endpoint endpoint = Endpoint.ofServer("tcp://host:1", store);
        Lane first = endpoint.takeLane();
        Lane second = endpoint.takeLane();
        call(first.method("a.B", "c"), 10);
        call(second.method("a.B", "c"), 20);
        first.method("a.B", "c").failed(Status.NOT_FOUND);
        first.method("a.B", "c").thrown();
        Endpoint.ended(endpoint, null, Status.UNIMPLEMENTED);
        SessionBlock session = endpoint.session(77);
        session.begin("10.1.2.3");
        session.begins();
        ProcessCounters read = Counters.open(store.file()).read();
        assertEquals(ProcessHandle.current().pid(), read.pid());
        assertEquals(0, read.lost());
        EndpointCounters server = read.endpoints().get(0);
        assertEquals(EndpointCounters.Role.SERVER, server.role());
        assertEquals("tcp://host:1", server.address());
        assertEquals(List.of("/_OTHER", "a.B/c"), server.methods().stream()
                .map(method -> method.service() + "/" + method.method()).toList());
        MethodCounters method = server.methods().get(1);
        assertEquals(30, method.succeeded());
        assertEquals(32, method.calls());
        assertEquals(1, method.ended(Status.NOT_FOUND));
        assertEquals(1, method.thrown());
        assertEquals(90, method.bytesIn());
        assertEquals(150, method.bytesOut());
        assertEquals(30, method.latencies().count());
        assertEquals(30_000, method.latencies().totalNs());
        assertEquals("10.1.2.3", server.sessions().get(0).peer());
        assertEquals(77, server.sessions().get(0).id());
        assertEquals(1, server.sessions().get(0).inFlight());
    }

    @Test
    void whatIsClosedIsNotReadAndItsPlaceIsUsedAgain() {
        for (int i = 0; i < 1000; i++) {
            Endpoint endpoint = Endpoint.ofClient("tcp://host:" + i, store);
            CallCounters session = CallCounters.of(endpoint, "peer", 2, 4);
            call(endpoint.takeLane().method("a.B", "c"), 1);
            assertEquals(1, Counters.open(store.file()).read().endpoints().get(0).calls(), "begins with nothing");
            session.close();
            endpoint.close();
            endpoint.close();
            assertEquals(List.of(), Counters.open(store.file()).read().endpoints());
        }
        assertEquals(0, Counters.open(store.file()).read().lost());
    }

    @Test
    void aSessionGoesOnInTheLaneOfOneThatEnded() {
        Endpoint endpoint = Endpoint.ofClient("tcp://host:1", store);
        MethodDescriptor method = new MethodDescriptor(0, "d.E", "f", "", 0, false, false, 0, false);
        for (int i = 0; i < 3; i++) {
            CallCounters session = CallCounters.of(endpoint, "peer", 2, 4);
            session.open(5, List.of(method));
            assertNull(session.method(4));
            assertNull(session.method(6));
            call(session.method(5), 10);
            session.method(5).begun();
            session.failed(session.method(5), Status.ABORTED);
            session.method(5).begun();
            SessionCounters read = Counters.open(store.file()).read().endpoints().get(0).sessions().get(0);
            assertEquals(List.of(12L, 11L, 1L, 30L, 50L), List.of(
                    read.begun(), read.ended(), read.failed(), read.bytesIn(), read.bytesOut()), "session=" + i);
            assertEquals(1, read.inFlight());
            session.close();
        }
        assertEquals(3, Counters.open(store.file()).read().endpoints().get(0).sessionsOpened());
        Lane lane = endpoint.takeLane();
        call(lane.method("a.B", "c"), 1);
        endpoint.giveLane(lane);
        assertEquals(lane, endpoint.takeLane());
        assertEquals(33 + 1, Counters.open(store.file()).read().endpoints().get(0).calls());
    }

    @Test
    void whereThereIsNoRoomCallsGoOnUncounted() {
        Endpoint endpoint = Endpoint.ofServer("tcp://host:1", store);
        Lane lane = endpoint.takeLane();
        int many = CAPACITY / CounterLayout.METHOD_BYTES + 5;
        for (int i = 0; i < many; i++) {
            call(lane.method("a.B", "method" + i), 1);
        }
        ProcessCounters read = Counters.open(store.file()).read();
        assertTrue(read.lost() >= 5, "lost=" + read.lost());
        assertEquals(many, read.endpoints().get(0).methods().size() + read.lost());
    }

    @Test
    void aSessionCountsItsOwnAlsoWhereItsLaneHasMoreThanThereIsRoomFor() {
        Endpoint endpoint = Endpoint.ofClient("tcp://host:1", store);
        int many = CAPACITY / CounterLayout.METHOD_BYTES + 5;
        List<MethodDescriptor> methods = IntStream.range(0, many).mapToObj(number ->
                new MethodDescriptor(number, "d.E", "f" + number, "", 0, false, false, 0, false)).toList();
        for (int i = 0; i < 3; i++) {
            CallCounters session = CallCounters.of(endpoint, "peer", 2, 4);
            session.open(0, methods);
            methods.forEach(method -> call(session.method(method.index()), 2));
            ProcessCounters all = Counters.open(store.file()).read();
            assertTrue(all.lost() >= 5, "lost=" + all.lost());
            SessionCounters read = all.endpoints().get(0).sessions().get(0);
            long calls = 2L * all.endpoints().get(0).methods().size();
            assertEquals(List.of(calls, calls, 3 * calls, 5 * calls), List.of(
                    read.begun(), read.ended(), read.bytesIn(), read.bytesOut()), "session=" + i);
            session.close();
        }
    }

    @Test
    void readersSeeWholeCountsWhileOthersWrite() {
        Endpoint endpoint = Endpoint.ofServer("tcp://host:1", store);
        MethodBlock method = endpoint.takeLane().method("a.B", "c");
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Long> writer = Await.start(() -> {
            long calls = 0;
            for (; !enough.get(); calls += 100) {
                call(method, 100);
            }
            return calls;
        });
        CompletableFuture<Boolean> churn = Await.start(() -> {
            while (!enough.get()) {
                Endpoint brief = Endpoint.ofClient("tcp://other:1", store);
                call(brief.takeLane().method("d.E", "f"), 1);
                brief.close();
            }
            return true;
        });
        CounterSource source = Counters.open(store.file());
        long last = 0;
        for (int i = 0; i < 2000; i++) {
            for (EndpointCounters read : source.read().endpoints()) {
                assertTrue(read.address().equals("tcp://host:1") || read.address().equals("tcp://other:1"),
                        read.address());
                for (MethodCounters each : read.methods()) {
                    assertEquals(read.address().equals("tcp://host:1") ? "a.B" : "d.E", each.service());
                    assertTrue(each.service().equals("a.B") || each.calls() <= 1, "calls=" + each.calls());
                }
                if (read.address().equals("tcp://host:1")) {
                    assertTrue(read.calls() >= last, read.calls() + " after " + last);
                    last = read.calls();
                }
            }
        }
        enough.set(true);
        Await.join(churn);
        long calls = Await.join(writer);
        assertEquals(calls, source.read().endpoints().get(0).calls());
    }

    @Test
    void filesOfOthersAreToldByWhatIsWrongWithThem() throws IOException {
        assertRefused(Reason.UNREADABLE, folder.resolve("none"));
        assertRefused(Reason.UNREADABLE, folder);
        Path foreign = Files.write(folder.resolve("c-1"), new byte[4]);
        assertRefused(Reason.FOREIGN, foreign);
        assertRefused(Reason.FOREIGN, Files.write(foreign, new byte[1000]));
        assertRefused(Reason.UNREADABLE, Files.createSymbolicLink(folder.resolve("link"), store.file()));
        write(CounterLayout.VERSION_AT, (byte) (CounterLayout.VERSION + 1));
        assertRefused(Reason.OTHER_VERSION, store.file());
    }

    @Test
    void filesThatAreCutAreToldAlsoWhileTheyAreRead() throws IOException {
        CounterSource open = Counters.open(store.file());
        try (RandomAccessFile file = new RandomAccessFile(store.file().toFile(), "rw")) {
            file.setLength(CAPACITY / 2);
        }
        assertRefused(Reason.CUT, store.file());
        assertEquals(Reason.CUT, assertThrows(CounterFileException.class, open::read).reason());
        try (RandomAccessFile file = new RandomAccessFile(store.file().toFile(), "rw")) {
            file.setLength(100);
        }
        assertRefused(Reason.CUT, store.file());
    }

    @Test
    void lengthsThatMakeNoSenseAreTold() throws IOException {
        Endpoint.ofServer("tcp://host:1", store);
        for (byte length : new byte[] {0, 1, 32, 65}) {
            write(CounterLayout.HEADER_BYTES + CounterLayout.LENGTH, length, (byte) 0);
            assertEquals(Reason.CUT, assertThrows(CounterFileException.class,
                    Counters.open(store.file())::read).reason(), "length=" + length);
        }
        write(CounterLayout.HEADER_BYTES + CounterLayout.LENGTH + 2, (byte) 0x7f, (byte) 0x7f);
        assertEquals(Reason.CUT,
                assertThrows(CounterFileException.class, Counters.open(store.file())::read).reason(), "too long");
    }

    @Test
    void filesOfDeadProcessesAreRemovedWhateverIsInThemAndNoOthers() throws Exception {
        Path mine = store.file();
        Path other = Files.createFile(folder.resolve("notes.txt"));
        try (UnreapedChild child = UnreapedChild.start()) {
            Path dead = Files.write(folder.resolve(CounterFiles.nameOf(ProcessId.of(child.pid()))), new byte[7]);
            assertFalse(CounterFiles.isOfDead(dead));
            assertEquals(0, CounterFiles.sweep(folder, 100));
            child.end();
            assertTrue(CounterFiles.isOfDead(dead));
            assertRefused(Reason.DEAD, dead);
            assertEquals(1, CounterFiles.sweep(folder, 100));
            assertFalse(Files.exists(dead));
        }
        assertTrue(Files.exists(mine));
        assertTrue(Files.exists(other));
        assertEquals(0, CounterFiles.sweep(folder.resolve("none"), 100));
    }

    @Test
    void aFolderOfAnotherKindIsNoPlaceForCounters() throws IOException {
        Path file = Files.createFile(temporary.resolve("file"));
        assertTrue(assertThrows(IOException.class, () -> CounterStore.create(file, CAPACITY)).getMessage()
                .contains("is no folder of this user's"));
    }

    @Test
    void textsAreCutAtACharactersEnd() {
        Endpoint.ofServer("tcp://" + "ä".repeat(300), store);
        String address = Counters.open(store.file()).read().endpoints().get(0).address();
        assertEquals("tcp://" + "ä".repeat((CounterLayout.ADDRESS_BYTES - 6) / 2), address);
    }

    @Test
    void aProcessIsCalledByItsMainClassWithoutArguments() {
        assertEquals("org.acme.Main", ProcessName.ofCommand("org.acme.Main --password=x"));
        assertEquals("app.jar", ProcessName.ofCommand("/opt/app.jar serve"));
        assertEquals("java", ProcessName.ofCommand(""));
    }
}
