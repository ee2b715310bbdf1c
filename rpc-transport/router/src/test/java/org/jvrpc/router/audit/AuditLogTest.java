package org.jvrpc.router.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.TenantId;

class AuditLogTest {

    private static final TenantId RED = new TenantId("red");

    @TempDir
    private Path folder;
    private final AtomicLong nowMs = new AtomicLong(1_800_000_000_000L);

    private AuditLog open(long rotateBytes) throws IOException {
        return new AuditLog(folder.resolve("audit"), rotateBytes, nowMs::get);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(folder.resolve("audit"));
    }

    @Test
    void anEventIsALineOfJsonThatOnlyItsUserReads() throws IOException {
        try (AuditLog log = open(1 << 20)) {
            log.write(RED, "refuse", Refusal.QUOTA, "has=1 \"x\"\n{\"at\":0}\u001b[2J \\");
            log.write(RED, "attach", null, "device=d-1-a");
        }
        assertEquals(List.of("{\"at\":\"2027-01-15T08:00:00Z\",\"tenant\":\"red\",\"what\":\"refuse\","
                + "\"refusal\":\"QUOTA\",\"detail\":\"has=1 \\\"x\\\"?{\\\"at\\\":0}?[2J \\\\\"}",
                "{\"at\":\"2027-01-15T08:00:00Z\","
                + "\"tenant\":\"red\",\"what\":\"attach\",\"detail\":\"device=d-1-a\"}"), lines());
        assertEquals(PosixFilePermissions.fromString("rw-------"),
                Files.getPosixFilePermissions(folder.resolve("audit")));
    }

    @Test
    void whatCouldBeATokenIsNotWritten() {
        String token = "Q29ycmVjdEhvcnNlQmF0dGVyeVN0YXBsZV8xMjM0NTY";
        assertEquals("token *** of tenant=red", Redaction.hide("token " + token + " of tenant=red"));
        assertEquals(259, Redaction.quote("x".repeat(5_000)).length());
    }

    @Test
    void oneTenantDrownsNoOthersEventsAndWhatIsDroppedIsCounted() throws IOException {
        try (AuditLog log = open(1 << 20)) {
            for (int i = 0; i < 5_000; i++) {
                log.write(RED, "refuse", Refusal.TOKEN_WRONG, "i=" + i);
            }
            log.write(new TenantId("blue"), "attach", null, "");
            assertEquals(5_000 - AuditLog.MOST_OF_ONE, log.dropped());
            nowMs.addAndGet(1_000);
            log.write(RED, "refuse", Refusal.TOKEN_WRONG, "a second later");
        }
        List<String> lines = lines();
        assertEquals(AuditLog.MOST_OF_ONE, lines.stream().filter(line -> line.contains("\"i=")).count());
        assertTrue(lines.stream().anyMatch(line -> line.contains("\"blue\"")));
        assertTrue(lines.stream().anyMatch(line -> line.contains("a second later")));
        long told = lines.stream().filter(line -> line.contains("\"dropped\""))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*events=(\\d+).*", "$1"))).sum();
        assertEquals(5_000 - AuditLog.MOST_OF_ONE, told);
    }

    @Test
    void allTenantsTogetherHaveALimitToo() throws IOException {
        try (AuditLog log = open(1 << 20)) {
            for (int i = 0; i < 1_500; i++) {
                log.write(new TenantId("t" + i), "attach", null, "");
            }
            assertTrue(log.dropped() >= 500, () -> "dropped=" + log.dropped());
        }
    }

    @Test
    void aLongLogIsRotatedAndNothingIsLost() throws IOException {
        try (AuditLog log = open(1_000)) {
            for (int i = 0; i < 30; i++) {
                log.write(RED, "attach", null, "i=" + i);
            }
        }
        String all = "";
        for (String name : List.of("audit.4", "audit.3", "audit.2", "audit.1", "audit")) {
            Path file = folder.resolve(name);
            all += Files.exists(file) ? Files.readString(file) : "";
            assertTrue(!Files.exists(file) || Files.size(file) < 1_200, name);
        }
        for (int i = 0; i < 30; i++) {
            assertTrue(all.contains("i=" + i + "\""), all);
        }
        assertTrue(Files.exists(folder.resolve("audit.2")));
    }

    @Test
    void whatOthersMayReadOrALinkIsNoLog() throws IOException {
        Files.createFile(folder.resolve("audit"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
        assertTrue(assertThrows(IOException.class, () -> open(1_000)).getMessage().contains("must have mode 0600"));
        Files.move(folder.resolve("audit"), folder.resolve("other"));
        Files.createSymbolicLink(folder.resolve("audit"), folder.resolve("other"));
        assertThrows(IOException.class, () -> open(1_000));
        assertFalse(Files.size(folder.resolve("other")) > 0);
        Files.delete(folder.resolve("other"));
        assertThrows(IOException.class, () -> open(1_000));
        assertFalse(Files.exists(folder.resolve("other")));
    }

    @Test
    void afterTheEndNothingIsWrittenAndNobodyWaits() throws IOException {
        AuditLog log = open(1_000);
        log.close();
        log.close();
        log.write(RED, "attach", null, "");
        assertEquals(1, log.dropped());
        assertEquals(List.of(), lines());
    }
}
