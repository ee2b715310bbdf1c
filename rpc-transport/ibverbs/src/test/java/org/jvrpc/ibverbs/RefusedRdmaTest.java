package org.jvrpc.ibverbs;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.RefusalMain.Wish;

/** What is said to who has a device and lacks a right: the cause, and what helps. Root, without root's powers. */
@NeedsRdmaDevice
final class RefusedRdmaTest {

    private static List<String> without(String... capabilities) {
        assumeTrue(Refusals.has("setpriv") && Refusals.has("bash"), "this machine has no setpriv");
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give powers up");
        String all = "-" + String.join(",-", capabilities);
        return List.of("setpriv", "--bounding-set", all, "--inh-caps", all);
    }

    private static List<String> join(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    @Test
    void whoMayLockLittleMemoryIsToldTheLimitAndHowToRaiseIt() throws Exception {
        List<String> limited = join(List.of("bash", "-c", "ulimit -l 64 && exec \"$@\"", "limited"),
                without("ipc_lock", "sys_resource"));
        String message = Refusals.ask(limited, Wish.REGISTER);
        for (String part : List.of("refused: reg_mr: ENOMEM (12)", "length=1048576", "64 KiB", "ulimit -l",
                "LimitMEMLOCK=", "--ulimit memlock=-1")) {
            assertTrue(message.contains(part), () -> "expected " + part + " in: " + message);
        }
    }

    @Test
    void whoMayLockEnoughMemoryIsNotRefused() throws Exception {
        List<String> limited = join(List.of("bash", "-c", "ulimit -l 65536 && exec \"$@\"", "limited"),
                without("ipc_lock", "sys_resource"));
        String message = Refusals.ask(limited, Wish.REGISTER);
        assertTrue(message.contains("granted"), message);
    }

    @Test
    void whoMayNotOpenTheDeviceIsToldWhichFile() throws Exception {
        List<String> plain = without("dac_override", "dac_read_search");
        Map<Path, Set<PosixFilePermission>> before = new HashMap<>();
        try (Stream<Path> files = Files.list(Path.of("/dev/infiniband"))) {
            for (Path file : files.filter(file -> file.getFileName().toString().startsWith("uverbs")).toList()) {
                before.put(file, Files.getPosixFilePermissions(file));
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
            }
            String message = Refusals.ask(plain, Wish.OPEN);
            for (String part : List.of("refused: open_device: EACCES (13)", "device=rxe0", "/dev/infiniband/uverbs")) {
                assertTrue(message.contains(part), () -> "expected " + part + " in: " + message);
            }
        } finally {
            for (Map.Entry<Path, Set<PosixFilePermission>> file : before.entrySet()) {
                Files.setPosixFilePermissions(file.getKey(), file.getValue());
            }
        }
    }
}
