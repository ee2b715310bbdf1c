package org.jvrpc.tools.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.recording.Recording;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testing.Waits;
import picocli.CommandLine;

/** Conversations that are recorded, asked again, and answered again. */
class RecordReplayTest {

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long LONG_WAIT_S = 60;
    /** How often {@link #talk} calls. */
    private static final int CALLS = 12;

    private final ShopInMemory shop = new ShopInMemory();
    private final RpcServer server = serve(shop);
    @TempDir
    private Path folder;

    private static RpcServer serve(Shop shop) {
        return RpcServer.builder().bind("inproc://recorded-" + COUNT.incrementAndGet()).service(Shop.class, shop)
                .reflection(true).start();
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** A command that runs on a thread of its own, until it is told to end. */
    private record Running(StringWriter out, StringWriter err, CompletableFuture<Integer> code) {

        static Running of(Callable<Integer> command, String... arguments) {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            CommandLine line = new CommandLine(command).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
            return new Running(out, err, CompletableFuture.supplyAsync(() -> line.execute(arguments)));
        }

        void awaitListening() {
            Waits.until("a server", () -> out.toString().contains("\n") || code.isDone(), () -> err);
            assertTrue(!code.isDone(), () -> err.toString());
        }

        void expect(int expected) throws Exception {
            assertEquals(expected, code.get(LONG_WAIT_S, TimeUnit.SECONDS), err::toString);
        }
    }

    private static CommandRun replay(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new ReplayCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
                .execute(arguments);
        return new CommandRun(code, out.toString(), err.toString());
    }

    /** Calls in all ways, and returns what came of it. */
    private static List<Object> talk(String address) throws Exception {
        List<Object> said = new ArrayList<>();
        try (RpcClient client = RpcClient.connect(address)) {
            Shop stub = client.stub(Shop.class);
            said.add(stub.sum(40, 2));
            said.add(stub.sum("a", "\ud800 €", "c"));
            said.add(stub.over(Integer.MIN_VALUE));
            said.add(stub.slow(null));
            said.add(assertThrows(Shop.LostException.class, () -> stub.find(7)).id());
            RpcException failure = assertThrows(RpcException.class, () -> stub.find(13));
            said.add(failure.status() + failure.getMessage());
            ByteBuffer filled = ByteBuffer.allocateDirect(16);
            stub.fill("abc", filled);
            said.add(filled.position());
            said.add(take(Streams.reader(stub.legs(2))));
            StreamReader<Shop.Leg> lost = Streams.reader(stub.legs(3));
            said.add(assertThrows(Exception.class, () -> take(lost)) instanceof RpcException);
            said.add(stub.total(Streams.writing(writer -> {
                writer.write(new Shop.Leg(4, null));
                writer.write(new Shop.Leg(5, "X"));
            })));
            said.add(take(Streams.reader(stub.doubled(Streams.writing(writer -> writer.write(21L))))));
            said.add(stub.graph(new TreeMap<>(java.util.Map.of("a", "b"))));
        }
        return said;
    }

    private static <T> List<T> take(StreamReader<T> reader) {
        List<T> all = new ArrayList<>();
        try (reader) {
            while (reader.hasNext()) {
                all.add(reader.next());
            }
        }
        return all;
    }

    private Path record() throws Exception {
        Path file = folder.resolve("shop.recording");
        String front = "inproc://front-" + COUNT.incrementAndGet();
        RecordCommand command = new RecordCommand();
        Running recording = Running.of(command, server.address(), "--listen", front, "--out", file.toString());
        recording.awaitListening();
        assertEquals(talk(server.address()), talk(front));
        command.end();
        recording.expect(0);
        assertTrue(recording.out.toString().contains("calls=" + CALLS + " left out=0"), recording.out::toString);
        return file;
    }

    @Test
    void theSameServerAnswersTheSame() throws Exception {
        Path file = record();
        assertEquals(PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(file));
        assertEquals(CALLS, Recording.read(file, false).calls().size());
        CommandRun run = replay(file.toString(), server.address());
        assertEquals(new CommandRun(0, "calls=" + CALLS + " differ=0\n", ""), run);
    }

    @Test
    void aRecordingAnswersAsTheServerDid() throws Exception {
        Path file = record();
        ReplayCommand command = new ReplayCommand();
        String front = "inproc://replayed-" + COUNT.incrementAndGet();
        Running replayed = Running.of(command, file.toString(), "--listen", front);
        replayed.awaitListening();
        assertEquals(talk(server.address()), talk(front));
        try (RpcClient client = RpcClient.connect(front)) {
            Shop stub = client.stub(Shop.class);
            RpcException failure = assertThrows(RpcException.class, () -> stub.sum(1, 1));
            assertEquals(Status.NOT_FOUND, failure.status());
            assertTrue(failure.getMessage().contains("sum(long,long) has the arguments [1,1]: there are [40,2]"),
                    failure::getMessage);
        }
        command.end();
        replayed.expect(0);
    }

    @Test
    void whatAServerAnswersOtherwiseIsToldByItsPlace() throws Exception {
        Path file = record();
        Shop other = (Shop) java.lang.reflect.Proxy.newProxyInstance(Shop.class.getClassLoader(),
                new Class<?>[] {Shop.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "legs" -> Streams.<Shop.Leg>writing(writer -> {
                        writer.write(new Shop.Leg(0, "NYSE"));
                    });
                    case "find" -> "found";
                    default -> method.invoke(shop, arguments);
                });
        try (RpcServer changed = serve(other)) {
            CommandRun run = replay(file.toString(), changed.address());
            assertEquals(1, run.code(), run.err());
            for (String expected : List.of("answers[0].venue: null -> \"NYSE\"", "answers[1]: gone: {\"instrument\":1",
                    "/find(long) [7]\n    exception: gone: ", "    answer: new: \"found\"", "differ=4\n")) {
                assertTrue(run.out().contains(expected), expected + " is not in\n" + run.out());
            }
            CommandRun json = replay(file.toString(), changed.address(), "--json", "--ignore", "answers",
                    "--ignore", "exception", "--ignore", "failed");
            assertTrue(json.out().lines().allMatch(line -> line.contains("\"differences\":[\"answer\"]")), json.out());
            assertEquals(2, json.out().lines().count(), json.out());
        }
    }

    @Test
    void whatARecorderLeavesThatIsKilledIsWholeCalls() throws Exception {
        Path file = folder.resolve("running");
        String front = "inproc://killed-" + COUNT.incrementAndGet();
        RecordCommand command = new RecordCommand();
        Running recording = Running.of(command, server.address(), "--listen", front, "--out", file.toString());
        recording.awaitListening();
        Path cut = folder.resolve("cut");
        try (RpcClient client = RpcClient.connect(front)) {
            client.stub(Shop.class).over(1);
            client.stub(Shop.class).over(2);
            Files.copy(file, cut); // the file as a kill would leave it now
        }
        CommandRun refused = replay(cut.toString(), server.address());
        assertEquals(2, refused.code());
        assertTrue(refused.err().contains("cut is cut: its recorder was killed, or still runs. It has 2 whole calls"),
                refused::err);
        assertEquals("calls=2 differ=0\n", replay(cut.toString(), server.address(), "--accept-cut").out());
        String whole = Files.readString(cut);
        Files.writeString(cut, whole.substring(0, whole.length() - 9)); // within the last line
        assertEquals("calls=1 differ=0\n", replay(cut.toString(), server.address(), "--accept-cut").out());
        command.end();
        recording.expect(0);
    }

    @Test
    void filesThatAreNoRecordingsAreMisuse() throws Exception {
        Path file = record();
        String text = Files.readString(file);
        assertRefused("is a recording of version 2: version 1 is read here",
                text.replaceFirst("\"jvrpc-recording\":1", "\"jvrpc-recording\":2"));
        assertRefused("is no recording", "hello\n");
        assertRefused("is no recording", "");
        assertRefused(":3 is damaged", text.replace("{\"call\":2,", "{\"cal\":2,"));
        assertRefused("is damaged: its end tells of calls=" + CALLS + ", it has " + (CALLS - 1),
                text.replaceFirst("\\{\"call\":2,.*\n", ""));
        assertRefused("NoSuchFile", null);
    }

    private void assertRefused(String expected, String text) throws IOException {
        Path file = folder.resolve("refused");
        Files.deleteIfExists(file);
        if (text != null) {
            Files.copy(new java.io.ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), file,
                    StandardCopyOption.REPLACE_EXISTING);
        }
        CommandRun run = replay(file.toString(), server.address());
        assertTrue(run.err().contains(expected), run::err);
        assertEquals(2, run.code());
    }

    @Test
    void wrongArgumentsAndServersThatAreNotThereAreTold() throws Exception {
        Path file = record();
        assertEquals(3, replay(file.toString(), "inproc://nobody", "--timeout", "0.2").code());
        assertTrue(replay(file.toString()).err().contains("either ADDRESS"));
        Running again = Running.of(new RecordCommand(), server.address(), "--listen", "inproc://x", "--out",
                file.toString());
        again.expect(2);
        assertTrue(again.err.toString().contains("exists, and is not written over"), again.err::toString);
        Running none = Running.of(new RecordCommand(), "inproc://nobody", "--timeout", "0.2", "--listen", "inproc://x",
                "--out", folder.resolve("none").toString());
        none.expect(3);
    }
}
