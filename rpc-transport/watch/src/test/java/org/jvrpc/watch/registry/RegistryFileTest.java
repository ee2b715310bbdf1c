package org.jvrpc.watch.registry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.testing.Waits;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Registry;

class RegistryFileTest {

    private static final long EVERY_NS = 5_000_000;
    private static final String GOOD = "id=7 name=h7 rack=r1 pod=p1 version=1 incarnation=ff address=4a57";

    @TempDir
    private Path folder;

    private static AgentInfo agent(int id) {
        return new AgentInfo(id, "h" + id, "r1", "p1", new byte[] {1, -2}, 1, -5L - id);
    }

    private static List<Integer> ids(Registry of) {
        return of.agents().stream().map(AgentInfo::id).sorted().toList();
    }

    private static void await(Registry of, Integer... ids) {
        Waits.until("agents", () -> ids(of).equals(List.of(ids)), () -> ids(of) + " " + of.trouble());
    }

    @Test
    void agentsFindEachOtherInAFolderAndMissWhoLeaves() throws IOException {
        try (RegistryFile a = RegistryFile.open(folder, agent(1), EVERY_NS)) {
            try (RegistryFile b = RegistryFile.open(folder, agent(2), EVERY_NS)) {
                assertEquals(List.of(1, 2), ids(b));
                await(a, 1, 2);
                AgentInfo found = a.agents().stream().filter(agent -> agent.id() == 2).findFirst().orElseThrow();
                assertArrayEquals(agent(2).address(), found.address());
                assertEquals(agent(2).incarnation(), found.incarnation());
            }
            await(a, 1);
            assertNull(a.trouble());
        }
        assertEquals(0, folder.toFile().list().length);
    }

    @Test
    void anAgentLeavesTheFileOfItsSuccessor() throws IOException {
        RegistryFile old = RegistryFile.open(folder, agent(1), EVERY_NS);
        AgentInfo newer = new AgentInfo(1, "h1", "r1", "p1", new byte[] {3}, 1, 99);
        try (RegistryFile fresh = RegistryFile.open(folder, newer, EVERY_NS)) {
            old.close();
            assertEquals(List.of(1), ids(fresh));
            assertTrue(Files.readString(folder.resolve("1.agent")).contains("incarnation=63"));
        }
    }

    @Test
    void theListOfBeforeStaysWhileTheFolderIsGone() throws IOException {
        Path moved = folder.resolveSibling(folder.getFileName() + "-moved");
        Path inner = Files.createDirectory(folder.resolve("agents"));
        try (RegistryFile a = RegistryFile.open(inner, agent(1), EVERY_NS)) {
            Files.move(inner, moved);
            Waits.until("trouble", () -> a.trouble() != null);
            assertEquals(List.of(1), ids(a));
            assertTrue(a.trouble().contains("cannot be read") && a.trouble().contains(inner.toString()), a.trouble());
            Files.move(moved, inner);
            Waits.until("no trouble", () -> a.trouble() == null);
            assertEquals(List.of(1), ids(a));
        }
    }

    @Test
    void aFileIsReadAnewWhenItChanges() throws IOException {
        Path file = Files.writeString(folder.resolve("agents.txt"), "# mine\n\n" + GOOD + "\n");
        try (RegistryFile a = RegistryFile.open(file, null, EVERY_NS)) {
            await(a, 7);
            long epoch = a.epoch();
            Files.writeString(file, GOOD + "\n" + GOOD.replace("7 name=h7", "8 name=h8") + "\n");
            await(a, 7, 8);
            assertTrue(a.epoch() > epoch);
        }
    }

    @ParameterizedTest
    @CsvSource({"id=7,id=x,id=x", "id=7,id=-1,id=-1", "rack=r1,,rack is missing", "rack=r1,color=red,unknown: color",
        "rack=r1,rack=,rack=", "address=4a57,address=4a5,address", "address=4a57,address=,address has 0",
        "pod=p1,rack=r2,rack is there twice", "version=1,version=256,version=256", "incarnation=ff,incarnation=-1,-1"})
    void aBadLineIsNamedAndTheOthersHold(String part, String bad, String wanted) throws IOException {
        Path file = Files.writeString(folder.resolve("agents.txt"),
                GOOD.replace("id=7", "id=3") + "\n" + GOOD.replace(part, bad == null ? "" : bad) + "\n");
        try (RegistryFile a = RegistryFile.open(file, null, EVERY_NS)) {
            await(a, 3);
            assertTrue(a.trouble().contains("line 2: ") && a.trouble().contains(wanted), a.trouble());
        }
    }

    @Test
    void aBadLineThatStaysChangesTheListOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("agents.txt"), GOOD + "\nnonsense\n");
        try (RegistryFile a = RegistryFile.open(file, null, EVERY_NS)) {
            long epoch = a.epoch();
            Files.writeString(file, GOOD + "\n\nnonsense\n"); // read anew: the line that is named is another
            Waits.until("the other line", () -> a.trouble().contains("line 3"), a::trouble);
            assertEquals(epoch, a.epoch());
        }
    }

    @Test
    void anAgentPutsItsFileThereAgainWhenItIsGone() throws IOException {
        try (RegistryFile a = RegistryFile.open(folder, agent(1), EVERY_NS)) {
            Files.delete(folder.resolve("1.agent"));
            Waits.until("the file", () -> Files.exists(folder.resolve("1.agent")));
            Waits.until("no trouble", () -> a.trouble() == null, a::trouble);
            assertEquals(List.of(1), ids(a));
        }
    }

    @Test
    void aFolderThatLosesAllItsFilesIsTroubleAndTheListStays() throws IOException {
        Files.writeString(folder.resolve("7.agent"), GOOD);
        try (RegistryFile a = RegistryFile.open(folder, null, EVERY_NS)) {
            Files.delete(folder.resolve("7.agent"));
            Waits.until("trouble", () -> a.trouble() != null);
            assertEquals(List.of(7), ids(a));
            assertTrue(a.trouble().contains("no agents any more"), a.trouble());
        }
    }

    @Test
    void agentsOfOneNameAreNamed() throws IOException {
        Files.writeString(folder.resolve("7.agent"), GOOD);
        Files.writeString(folder.resolve("8.agent"), GOOD.replace("id=7", "id=8"));
        try (RegistryFile a = RegistryFile.open(folder, null, EVERY_NS)) {
            assertEquals(List.of(7, 8), ids(a));
            assertTrue(a.trouble().contains("agents 7 and 8 are both called h7"), a.trouble());
        }
    }

    @Test
    void whatIsNoRegularFileIsNotOpened() throws IOException {
        Files.createDirectory(folder.resolve("8.agent"));
        Files.writeString(folder.resolve("7.agent"), GOOD);
        try (RegistryFile a = RegistryFile.open(folder, null, EVERY_NS)) {
            assertEquals(List.of(7), ids(a));
            assertTrue(a.trouble().contains("8.agent is no regular file"), a.trouble());
        }
    }

    @Test
    void linesOfGarbageAreRefusedByMessage() {
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder line = new StringBuilder(GOOD);
            for (int n = random.nextInt(3); n >= 0; n--) {
                line.setCharAt(random.nextInt(line.length()), (char) random.nextInt(200));
            }
            try {
                AgentLine.parse(AgentLine.format(AgentLine.parse(line.toString())));
            } catch (IllegalArgumentException e) {
                assertFalse(e.getMessage().chars().anyMatch(Character::isISOControl), e::getMessage);
            }
        }
    }

    @Test
    void whereThereIsNothingIsSaid() {
        IOException e = assertThrows(IOException.class,
                () -> RegistryFile.open(folder.resolve("none"), null, EVERY_NS));
        assertTrue(e.getMessage().contains("no such file"), e::getMessage);
        IllegalArgumentException folderWanted = assertThrows(IllegalArgumentException.class,
                () -> RegistryFile.open(folder.resolve("none"), agent(1), EVERY_NS));
        assertTrue(folderWanted.getMessage().contains("is no folder"), folderWanted::getMessage);
    }
}
