package org.jvrpc.tools.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartChecksTest {

    private static final String LIMITS = """
            Limit                     Soft Limit           Hard Limit           Units
            Max core file size        %s                   %s                   bytes
            Max open files            %s                   1048576              files
            """;

    @TempDir
    private Path folder;
    private final StartChecks checks = new StartChecks();

    private String one() {
        assertEquals(1, checks.complaints().size(), () -> checks.complaints().toString());
        return checks.complaints().get(0);
    }

    private static List<String> limits(String soft, String hard, String files) {
        return LIMITS.formatted(soft, hard, files).lines().toList();
    }

    @Test
    void whatIsAsItMustBeIsNotSpokenOf() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        checks.user(1, false);
        checks.user(0, true);
        checks.limits(limits("0", "0", "65536"));
        checks.dumps("core\n", Path.of("/nowhere"));
        checks.flags(name -> Map.of("DisableAttachMechanism", "true").getOrDefault(name, "false"));
        checks.folder(folder, (Integer) Files.getAttribute(folder, "unix:uid"));
        assertEquals(List.of(), checks.complaints());
    }

    @Test
    void rootIsRefused() {
        checks.user(0, false);
        assertTrue(one().startsWith("user=0"), this::one);
    }

    @Test
    void aCoreDumpThatMayBeWrittenIsRefused() {
        checks.limits(limits("unlimited", "unlimited", "65536"));
        assertTrue(one().startsWith("core dumps: limit=unlimited (hard unlimited), must be 0"), this::one);
    }

    @Test
    void aHardLimitOfDumpsThatAProcessCouldGoUpToIsRefused() {
        checks.limits(limits("0", "4096", "65536"));
        assertTrue(one().startsWith("core dumps: limit=0 (hard 4096)"), this::one);
    }

    @Test
    void tooFewDescriptorsAreRefused() {
        checks.limits(limits("0", "0", "1024"));
        assertTrue(one().startsWith("descriptors: limit=1024 (hard 1048576), must be 4096 at least"), this::one);
    }

    @Test
    void aProgramThatTakesDumpsGetsNoMemory() throws IOException {
        Path filter = Files.writeString(folder.resolve("coredump_filter"), "00000033\n");
        checks.dumps("|/usr/lib/systemd/systemd-coredump %P\n", filter);
        assertEquals("0", Files.readString(filter));
        assertEquals(List.of(), checks.complaints());
    }

    @Test
    void aProgramThatTakesDumpsAndWhatCannotBeSetIsRefused() {
        checks.dumps("|/usr/lib/systemd/systemd-coredump %P\n", folder.resolve("gone/coredump_filter"));
        assertTrue(one().startsWith("core dumps go to '|/usr/lib/systemd/systemd-coredump %P'"), this::one);
    }

    @Test
    void aJvmThatCanBeLookedIntoIsRefused() {
        checks.flags(name -> "false");
        assertTrue(one().startsWith("JVM: DisableAttachMechanism=false; cure: start it by the script jvrpc, or give"
                + " java -XX:+DisableAttachMechanism"), this::one);
    }

    @Test
    void aJvmWithoutSuchFlagsIsNotAsked() {
        checks.flags(name -> null);
        assertEquals(List.of(), checks.complaints());
    }

    @Test
    void aFolderThatOthersWriteToIsRefused() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));
        checks.folder(folder, (Integer) Files.getAttribute(folder, "unix:uid"));
        assertTrue(one().contains("mode=0775"), this::one);
    }

    @Test
    void aFolderOfAnotherUserIsRefused() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        checks.folder(folder, 1 + (Integer) Files.getAttribute(folder, "unix:uid"));
        assertTrue(one().contains("must be uid="), this::one);
    }

    @Test
    void aLinkIsNoFolder() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
        checks.folder(link, (Integer) Files.getAttribute(folder, "unix:uid"));
        assertTrue(one().contains("is none, or a link"), this::one);
    }

    @Test
    void aFolderThatIsNotThereIsSaidHowToMake() {
        checks.folder(folder.resolve("gone"), 1);
        assertTrue(one().contains("install -d -m 0755 -o USER " + folder.resolve("gone")), this::one);
    }
}
