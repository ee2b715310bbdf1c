package org.jvrpc.tools.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.tenant.Tokens;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import picocli.CommandLine;

/** A router in a process of its own, as its script starts it, and those who look after it. */
class RouterRunTest {

    @TempDir
    private Path folder;
    private Path control;
    private RouterProcess router;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void prepare() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path tenants = Files.createDirectory(folder.resolve("tenants"));
        Files.setPosixFilePermissions(tenants, PosixFilePermissions.fromString("rwx--x--x"));
        Path red = Files.createDirectory(tenants.resolve("red"));
        Tokens.Made token = Tokens.make(new SecureRandom(), "t1", Instant.parse("2099-01-01T00:00:00Z").toEpochMilli());
        Files.writeString(red.resolve("token"), token.token());
        Files.setPosixFilePermissions(red, PosixFilePermissions.fromString("rwxrwx---"));
        control = Files.writeString(folder.resolve("control.json"), """
                {"epoch": 1, "tenants": [{"name": "red", "user": %s, "addresses": ["10.77.0.5"], "tokens": [
                  {"id": "t1", "salt": "%s", "sha256": "%s", "notAfter": "2099-01-01T00:00:00Z"}]}],
                 "homes": [{"address": "10.77.0.5", "tenant": "red", "host": "h1", "epoch": 1, "state": "SERVING"}]}
                """.formatted(Files.getAttribute(red, "unix:uid"), base64(token.hash().salt()),
                base64(token.hash().sha256())));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @AfterEach
    void stop() {
        if (router != null) {
            router.close();
        }
    }

    private void start(String... more) throws IOException {
        router = RouterProcess.start(folder.resolve("said"), arguments(more));
    }

    private String[] arguments(String... more) {
        return Stream.concat(Stream.of("--dir", folder.toString(), "--file", control.toString(), "--host", "h1"),
                Stream.of(more)).toArray(String[]::new);
    }

    private String said() {
        return router.said();
    }

    private int ask(String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--dir", folder.toString()));
        return new CommandLine(new RouterCommand()).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true)).execute(all.toArray(String[]::new));
    }

    @Test
    void aRouterServesIsLookedAfterAndEndsWhenItIsAskedTo() throws IOException, InterruptedException {
        RouterProcess.assumeEnoughDescriptors();
        start();
        router.awaitServing();
        Path own = folder.resolve("tenants/red");
        Waits.until("the tenant's socket", () -> Files.exists(own.resolve("s")));
        try (Device device = Devices.open("router://10.77.0.5:0?dir=" + own)) {
            device.createChannel().close();
            assertEquals(0, ask("show"), err::toString);
            assertTrue(out.toString().lines().anyMatch(line -> line.matches("red +\\d+ +10.77.0.5 +1/64 .* served")),
                    out::toString);
            assertEquals(0, ask("show", "--json"), err::toString);
            JsonNode shown = new ObjectMapper().readTree(out.toString());
            assertEquals(router.pid(), shown.get("pid").asLong());
            assertEquals(1, shown.get("tenants").get(0).get("has").get("devices").asInt());
            assertEquals(1, ask("drain"), err::toString);
            assertEquals("draining, devices=1\n", out.toString());
        }
        assertEquals(0, ask("drain", "--seconds", "60"), err::toString);
        assertEquals("draining, devices=0\n", out.toString());
        assertEquals(0, ask("drain", "--undo"), err::toString);
        assertTrue(said().indexOf('\n') > 0, "it says more than that it serves: " + said());
        router.terminate();
        assertEquals(0, router.awaitEnd(), this::said);
        assertFalse(Files.exists(own.resolve("s")), "the tenant's socket is left");
        assertFalse(Files.exists(folder.resolve("ctl.sock")), "the router's socket is left");
        Path log = folder.resolve("audit.log");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(log)));
        Set<String> whats = Files.readAllLines(log).stream()
                .map(line -> line.replaceAll(".*\"what\":\"(\\w+)\".*", "$1")).collect(Collectors.toSet());
        assertTrue(whats.containsAll(Set.of("attach", "ctl", "leave", "start", "stop")), whats::toString);
        assertEquals(3, ask("show"));
        assertTrue(err.toString().contains("is a router running there?"), err::toString);
    }

    @Test
    void anOlderFileIsGoneByWhenAnAdminSaysSoAndBothEpochsAreInTheAuditLog() throws IOException {
        RouterProcess.assumeEnoughDescriptors();
        String text = Files.readString(control).replace("{\"epoch\": 1,", "{\"epoch\": 5,");
        Files.writeString(control, text);
        start();
        router.awaitServing();
        assertEquals(3, ask("accept-older"));
        assertTrue(err.toString().contains("no older map is refused, known is epoch=5"), err::toString);
        Path older = Files.writeString(folder.resolve("older.json"), text.replace("{\"epoch\": 5,", "{\"epoch\": 3,"));
        Files.move(older, control, StandardCopyOption.ATOMIC_MOVE);
        assertEquals(0, ask("accept-older", "--json"), err::toString);
        assertEquals("{\"before\": 5, \"now\": 3}\n", out.toString());
        assertEquals(0, ask("show", "--json"), err::toString);
        assertEquals(3, new ObjectMapper().readTree(out.toString()).get("epoch").asInt());
        assertTrue(Files.readString(folder.resolve("audit.log")).contains("known epoch=5 accepted epoch=3"));
    }

    @Test
    void aRouterThatCouldLeaveADumpDoesNotBegin() throws IOException, InterruptedException {
        router = RouterProcess.start(folder.resolve("said"), "", List.of("-XX:-CreateCoredumpOnCrash"), arguments());
        assertEquals(3, router.awaitEnd(), this::said);
        assertTrue(said().contains("JVM: DisableAttachMechanism=false; cure:"), this::said);
        assertFalse(Files.exists(folder.resolve("audit.log")), "it began");
    }

    @Test
    void aControlFileWithAMistakeIsAWrongArgument() throws IOException, InterruptedException {
        RouterProcess.assumeEnoughDescriptors();
        Files.writeString(control, "{\"epoch\": 1, \"tenants\": [{\"name\": \"Red\"}]}");
        start();
        assertEquals(2, router.awaitEnd(), this::said);
        assertTrue(said().contains("--file " + control), this::said);
    }

    @Test
    void anAdminWhomNobodyKnowsIsAWrongArgument() throws IOException, InterruptedException {
        RouterProcess.assumeEnoughDescriptors();
        start("--admins", "no-such-user");
        assertEquals(2, router.awaitEnd(), this::said);
        assertTrue(said().contains("--admins: admin=no-such-user is no user of this host"), this::said);
        assertFalse(Files.exists(folder.resolve("tenants/red/s")), "the tenant's socket is left");
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertEquals(2, ask("run"));
        assertEquals(2, ask("run", "--file", control.toString(), "--control", "zk://localhost:1/main"));
        assertTrue(err.toString().contains("one of them"), err::toString);
        assertEquals(2, ask("run", "--file", control.toString(), "--spin", "hard"));
        assertTrue(err.toString().contains("--spin=hard is none of always, adaptive, never"), err::toString);
        assertEquals(2, ask("drain", "--seconds", "4000"));
        assertEquals(2, ask("drain", "--undo", "--seconds", "4"));
    }
}
