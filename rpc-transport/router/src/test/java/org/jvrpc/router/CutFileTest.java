package org.jvrpc.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.map.Rule;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;

/** A tenant that cuts the file of its memory while others send to it. */
class CutFileTest {

    private static final int LARGE = 512 << 10; // which has a file of its own
    private static final int BYTES = 4096;

    @TempDir
    private Path folder;
    private TestRouter router;

    @BeforeEach
    void start() {
        router = new TestRouter(folder, "one", "hostile", "neighbour");
        router.view().apply(new Rule(null, null, 0, 65535, true));
    }

    @AfterEach
    void stop() {
        router.close();
    }

    private static void connect(TenantEnd from, TenantEnd to, String address) {
        Listener listener = to.listen(address);
        CompletableFuture<Connection> connector = CompletableFuture.supplyAsync(() -> from.connect(address));
        to.accept(listener);
        connector.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
    }

    private void cut(String tenant) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(router.dir(tenant))) {
            files = all.filter(file -> file.toFile().length() >= LARGE).toList();
        }
        assertTrue(!files.isEmpty());
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
        }
    }

    private static void sendAndReceive(TenantEnd from, TenantEnd to) {
        to.receive(0, BYTES);
        from.send(0, BYTES);
        assertEquals(WcStatus.SUCCESS, from.completion());
        assertEquals(WcStatus.SUCCESS, to.completion());
    }

    @Test
    void isExpelledAndItsNeighboursGoOn() throws IOException {
        try (TenantEnd from = new TenantEnd(router.open("one"));
                TenantEnd other = new TenantEnd(router.open("one"));
                TenantEnd hostile = new TenantEnd(router.open("hostile"));
                TenantEnd neighbour = new TenantEnd(router.open("neighbour"));
                MemoryRegion large = hostile.pd.allocate(LARGE, Access.LOCAL_WRITE)) {
            connect(from, hostile, router.address(1));
            connect(other, neighbour, router.address(2));
            PostReceive receive = hostile.qp.prepareReceive(ReceiveRequest.of(1, Sge.of(large, LARGE - BYTES, BYTES)));
            receive.execute();
            receive.free();
            cut("hostile");
            from.send(0, BYTES);
            from.completion(); // of any status: a virtual machine may tell of missing memory after the copy
            Waits.until("the hostile tenant's device to be let go of",
                    () -> hostile.qp.state() == QueuePairState.ERR && devices() == 3);
            sendAndReceive(other, neighbour);
            TenantEnd again = new TenantEnd(router.open("one"));
            again.close();
        }
    }

    private int devices() {
        try {
            return router.server().counts().devices();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
