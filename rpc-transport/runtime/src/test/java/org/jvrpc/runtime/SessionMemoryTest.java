package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.SharedMemoryFolder;

/** What sessions with the defaults take of shared memory. */
class SessionMemoryTest {

    private static final int SESSIONS = 16;
    private static final int SESSION_BYTES = 80 << 10;

    private static Set<Path> files(Path folder) {
        try (var list = Files.list(folder)) {
            return list.collect(TreeSet::new, Set::add, Set::addAll);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<Path> devices() {
        Set<Path> devices = files(SharedMemoryFolder.path());
        devices.removeIf(file -> !file.getFileName().toString().startsWith("d-"));
        return devices;
    }

    private static long bytes(Path device) {
        return files(device).stream().mapToLong(file -> file.toFile().length()).sum();
    }

    @Test
    void aClientHasOneSlabAndTheServerNoMoreThanItsSessionsNeed() {
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address())
                .service(Calls.class, new CallsImpl()).start()) {
            Path serverDevice = devices().iterator().next();
            long idle = bytes(serverDevice);
            List<RpcClient> clients = new ArrayList<>();
            try {
                for (int i = 0; i < SESSIONS; i++) {
                    Set<Path> before = devices();
                    clients.add(RpcClient.builder(server.address()).connect());
                    assertEquals(5, clients.get(i).stub(Calls.class).add(2, 3));
                    Set<Path> mine = devices();
                    mine.removeAll(before);
                    Path device = mine.iterator().next();
                    assertEquals(Set.of(device.resolve("0"), device.resolve("lock")), files(device));
                    assertEquals(SESSION_BYTES, bytes(device));
                }
                long each = (bytes(serverDevice) - idle) / SESSIONS;
                assertTrue(each <= SESSION_BYTES * 3 / 2, "bytes of a session=" + each);
            } finally {
                clients.forEach(RpcClient::close);
            }
        }
    }
}
