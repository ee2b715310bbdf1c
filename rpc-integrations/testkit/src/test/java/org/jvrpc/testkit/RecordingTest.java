package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.recording.Recorder;
import org.jvrpc.testkit.Orders.NoSuchOrderException;
import org.jvrpc.testkit.Orders.Order;
import org.jvrpc.testkit.script.Script;

/** Conversations that tests record and replay. */
class RecordingTest {

    private static final Order ORDER = new Order(7, "ABC", 3);

    @RegisterExtension
    private final JvrpcExtension rpc = JvrpcExtension.serving(new OrdersInMemory());
    @TempDir
    private Path folder;

    @Test
    void whatWasRecordedIsAnsweredWithoutTheServer(Script<Orders> script) throws NoSuchOrderException {
        Path file = folder.resolve("orders");
        try (Recorder recorder = rpc.record(file)) {
            Orders recorded = rpc.stub(Orders.class);
            recorded.place(ORDER);
            assertEquals(ORDER, recorded.find(7));
            assertThrows(NoSuchOrderException.class, () -> recorded.find(8));
            assertEquals(3, recorder.calls());
        }
        script.reset();
        rpc.replay(file);
        Orders replayed = rpc.stub(Orders.class);
        assertEquals(ORDER, replayed.find(7));
        assertEquals(ORDER, replayed.find(7));
        assertEquals(8, assertThrows(NoSuchOrderException.class, () -> replayed.find(8)).id());
        assertEquals(Status.NOT_FOUND, assertThrows(RpcException.class, () -> replayed.find(9)).status());
        assertEquals(0, script.calls().size());
    }

    @Test
    void answersTakeTheirTimeWhereTheyAreToldTo() throws IOException, NoSuchOrderException {
        Path file = folder.resolve("orders");
        try (Recorder recorder = rpc.record(file)) {
            rpc.stub(Orders.class).place(ORDER);
            assertEquals(file, recorder.path());
        }
        Files.writeString(file, Files.readString(file).replaceFirst("\"took\":[0-9]+", "\"took\":30000000"));
        rpc.replay(file, true);
        Orders replayed = rpc.stub(Orders.class);
        long startNs = System.nanoTime();
        replayed.place(ORDER);
        assertTrue(System.nanoTime() - startNs >= 30_000_000, "it was answered at once");
    }

    @Test
    void whatIsNoRecordingIsTold() throws IOException {
        Path file = Files.writeString(folder.resolve("none"), "{}\n");
        UncheckedIOException failure = assertThrows(UncheckedIOException.class, () -> rpc.replay(file));
        assertTrue(failure.getMessage().contains("is no recording"), failure::getMessage);
        assertThrows(UncheckedIOException.class, () -> rpc.record(file));
    }
}
