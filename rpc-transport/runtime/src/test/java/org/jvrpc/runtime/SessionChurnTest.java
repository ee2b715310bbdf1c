package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.Alone;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;

/**
 * Sessions of another process that come and go, one after another, while the server stays: their memory is used again
 * or returned, without the garbage collector. {@code -Djvrpc.test.sessions} makes it longer; {@code .ci/session-churn}
 * runs ten thousand in 64 MB.
 */
@Alone
class SessionChurnTest {

    private static final int SESSIONS = Integer.getInteger("jvrpc.test.sessions", 150);
    /** Far less than the sessions take together, each some 3 MB. */
    private static final long MOST_BYTES = 64L << 20;

    private static List<String> devices() {
        try (var list = Files.list(SharedMemoryFolder.path())) {
            return list.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("d-")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long usedBytes() {
        try {
            return SessionChurn.usedBytes(SharedMemoryFolder.path());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void sessionsThatComeAndGoUseTheSameMemory() {
        String address = SharedMemoryFolder.freshAddress();
        List<String> before = devices();
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start()) {
            assertEquals(address, server.address());
            long usedBefore = usedBytes();
            try (ChildJvm child = ChildMain.start("churn", address, Integer.toString(SESSIONS))) {
                for (int i = 0; i < SESSIONS; i += SessionChurn.SESSIONS_PER_LOOK) {
                    child.expect("PASSED " + i);
                }
                long most = Long.parseLong(child.expect("DONE"));
                System.out.println("sessions=" + SESSIONS + " bytes used before=" + usedBefore + " most=" + most
                        + " after=" + usedBytes());
                assertTrue(most - usedBefore < MOST_BYTES,
                        "bytes used before=" + usedBefore + " most=" + most + " in sessions=" + SESSIONS);
            }
            Waits.until("the devices of the client to go", () -> devices().size() <= before.size() + 1);
            Waits.until("the memory of the client to be returned", () -> usedBytes() - usedBefore < MOST_BYTES / 2);
        }
        Waits.until("the device of the server to go", () -> devices().size() <= before.size());
    }
}
