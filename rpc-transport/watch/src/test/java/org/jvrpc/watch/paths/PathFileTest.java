package org.jvrpc.watch.paths;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.PathMap;

/** What a file of ways tells, what it may not tell, and that it is read anew. Agents h0 to h3, two a rack, two pods. */
class PathFileTest {

    private static final long LOOK_NS = 1_000_000;

    @TempDir
    Path folder;

    private final List<AgentInfo> agents = new ArrayList<>();
    private Path at;
    private PathFile file;

    @BeforeEach
    void agents() {
        at = folder.resolve("paths");
        for (int id = 0; id < 4; id++) {
            agents.add(new AgentInfo(id, "h" + id, "r" + id / 2, "p" + id / 2, new byte[0], 1, 16 + id));
        }
    }

    @AfterEach
    void close() {
        if (file != null) {
            file.close();
        }
    }

    private PathFile open(String... lines) throws IOException {
        Files.write(at, List.of(lines));
        file = PathFile.open(at, () -> agents, LOOK_NS);
        file.takeOver();
        return file;
    }

    private String refused(String... lines) {
        return assertThrows(IOException.class, () -> open(lines)).getMessage().replace(at.toString(), "paths");
    }

    private static String way(PathMap map, int from, int to, int flow) {
        return map.path(from, to, flow).stream().map(Component::toString).collect(Collectors.joining(" "));
    }

    /** Another file in its place, as those who write it are told to do. */
    private void replace(String... lines) throws IOException {
        Path fresh = Files.write(folder.resolve("fresh"), List.of(lines));
        Files.move(fresh, at, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Waits; a test's time limit interrupts it. */
    private static void until(BooleanSupplier state) {
        while (!state.getAsBoolean()) {
            assertFalse(Thread.interrupted(), "it has not come to that in time");
            Thread.onSpinWait();
        }
    }

    @Test
    void aWayIsToldFromHostToHostWithItsSwitchesAndLinks() throws IOException {
        open("# by hand", "", "path h0 h2 7 t0 s1 t1  # at noon");
        assertEquals("LINK h0>t0 TOR t0 LINK t0>s1 SWITCH s1 LINK s1>t1 TOR t1 LINK t1>h2", way(file, 0, 2, 7));
        assertEquals(List.of(), file.path(0, 2, 8));
        assertEquals(List.of(), file.path(2, 0, 7));
        assertEquals(List.of(), file.path(0, 99, 7));
        assertEquals(1, file.size());
    }

    @Test
    void aSwitchHasOneNameWhateverAddressAnswers() throws IOException {
        open("path h0 h2 * 10.0.0.1 10.0.1.1 10.0.2.1", "switch t0 10.0.0.1 10.0.0.2", "switch spine 10.0.1.1");
        assertEquals("LINK h0>t0 TOR t0 LINK t0>spine SWITCH spine LINK spine>10.0.2.1 TOR 10.0.2.1 LINK 10.0.2.1>h2",
                way(file, 0, 2, 3));
    }

    @Test
    void whatIsToldOfAFlowGoesBeforeWhatIsToldOfAllAndOfRacks() throws IOException {
        open("path rack:r0 rack:r1 * t0 any t1", "path rack:r0 rack:r1 2 t0 two t1", "path h0 h2 * t0 pair t1",
                "path h0 h2 4 t0 four t1");
        assertTrue(way(file, 0, 2, 4).contains("SWITCH four"));
        assertTrue(way(file, 0, 2, 2).contains("SWITCH pair"));
        assertTrue(way(file, 1, 2, 2).contains("SWITCH two"));
        assertTrue(way(file, 1, 3, 5).contains("SWITCH any"));
    }

    @Test
    void racksOfOneNameAreToldByTheirPods() throws IOException {
        agents.clear();
        for (int id = 0; id < 4; id++) {
            agents.add(new AgentInfo(id, "h" + id, "r", "p" + id / 2, new byte[0], 1, 1));
        }
        open("path rack:p0/r rack:p1/r * t0 s t1", "path rack:r rack:r * nowhere");
        assertEquals("LINK h1>t0 TOR t0 LINK t0>s SWITCH s LINK s>t1 TOR t1 LINK t1>h3", way(file, 1, 3, 0));
        assertEquals(List.of(), file.path(0, 1, 0));
    }

    @Test
    void aHopThatDoesNotAnswerIsOneUnknownBetweenItsNeighboursBothWays() throws IOException {
        open("path h0 h2 0 t0 * * t1", "path h2 h0 0 t1 * t0");
        assertEquals("LINK h0>t0 TOR t0 LINK t0>t0..t1 SWITCH t0..t1 LINK t0..t1>t1 TOR t1 LINK t1>h2",
                way(file, 0, 2, 0));
        assertTrue(way(file, 2, 0, 0).contains("SWITCH t0..t1"));
    }

    @Test
    void theToRIsTheFirstSwitchOfAWayAndTheLastOfOneBack() throws IOException {
        open("path h0 h2 0 t0 s t1", "path h3 h1 0 t9 s t0", "path h3 h2 0 t8 s t1");
        assertEquals("TOR t0", file.tor(0).toString());
        assertEquals("TOR t0", file.tor(1).toString());
        assertEquals("TOR t1", file.tor(2).toString());
        assertNull(file.tor(3), "it hangs on two");
        assertEquals("h3 hangs on t9 by line 2 and on t8 by line 3", file.doubt());
    }

    @Test
    void waysOfAnAgentThatWasStartedAnewAreNotItsWaysAnyMore() throws IOException {
        open("agent h0 10", "agent h2 ff", "path h0 h1 0 t0", "path h1 h0 0 t0", "path h1 h2 0 t0 s t1");
        assertFalse(file.path(0, 1, 0).isEmpty());
        assertEquals(List.of(), file.path(1, 2, 0));
        assertTrue(file.isTraced(0));
        assertFalse(file.isTraced(2));
        assertEquals("TOR t1", file.tor(2).toString());
    }

    @Test
    void agentsOfTheRegistryAreTakenAsTheyAreNow() throws IOException {
        List<AgentInfo> later = List.of(new AgentInfo(7, "h0", "r0", "p0", new byte[0], 1, 1), agents.get(2));
        List<List<AgentInfo>> now = new ArrayList<>(List.of(List.copyOf(agents)));
        Files.write(at, List.of("path h0 h2 0 t0 s t1"));
        file = PathFile.open(at, () -> now.get(0), LOOK_NS);
        file.takeOver();
        now.set(0, later);
        assertFalse(file.takeOver(), "the file is the same");
        assertEquals(List.of(), file.path(0, 2, 0));
        assertFalse(file.path(7, 2, 0).isEmpty());
    }

    @Test
    void aFileThatChangesIsReadAnewBetweenTwoJudgements() throws IOException {
        open("path h0 h2 0 t0 old t1");
        replace("path h0 h2 0 t0 new t1", "path h2 h0 0 t1 new t0");
        until(() -> file.size() == 2);
        assertTrue(way(file, 0, 2, 0).contains("old"), "it was not taken over");
        assertTrue(file.takeOver());
        assertTrue(way(file, 0, 2, 0).contains("new"));
    }

    @Test
    void aBadFileChangesNothingUntilItIsMended() throws IOException {
        open("path h0 h2 0 t0 old t1");
        replace("path h0 h2 0 t0 new t1", "path h0");
        until(() -> file.trouble() != null);
        assertTrue(file.trouble().endsWith("paths: line 2: 'path FROM TO FLOW HOP...' is wanted"), file.trouble());
        assertFalse(file.takeOver());
        assertTrue(way(file, 0, 2, 0).contains("old"));
        replace("path h0 h2 0 t0 mended t1");
        until(file::takeOver);
        assertTrue(way(file, 0, 2, 0).contains("mended"));
        assertNull(file.trouble());
    }

    @Test
    void aFileThatGoesAwayLeavesWhatItSaid() throws IOException {
        open("path h0 h2 0 t0 old t1");
        Files.delete(at);
        until(() -> file.trouble() != null);
        assertTrue(file.trouble().endsWith("there is no such file"), file.trouble());
        file.takeOver();
        assertTrue(way(file, 0, 2, 0).contains("old"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "way h0 h1 0 t0 | begins with 'way': switch, agent or path is wanted",
        "path h0 h1 0 | 'path FROM TO FLOW HOP...' is wanted",
        "path h0 h1 x t0 | flow 'x' is no number of 0 to 65535, nor *",
        "path h0 h1 65536 t0 | flow '65536' is no number of 0 to 65535, nor *",
        "path h0 h0 1 t0 | from and to are one agent",
        "path h0 rack:r1 1 t0 | a way leads from agent to agent or from rack to rack",
        "path rack: rack:r1 1 t0 | 'rack:' is no name of an agent or a rack",
        "path h0 h1 1 t0 * | the first and the last hop are ToRs and need a name each, also when they do not answer",
        "path h0 h1 1 t0 s1 t1 s1 | 's1' is met twice: a loop",
        "path h0 h1 1 t0 a>b t1 | 'a>b' is no name of a switch: 1 to 128 characters without < and > are wanted",
        "switch | 'switch NAME ADDRESS...' is wanted",
        "agent h0 xyz | 'agent NAME INCARNATION' is wanted, the latter in hexadecimal"})
    void aBadLineIsRefusedWithItsNumber(String line, String why) {
        assertEquals("paths: line 2: " + why, refused("switch good 10.0.0.1", line));
    }

    @Test
    void linesThatContradictEachOtherAreRefusedWithBothNumbers() {
        assertEquals("paths: line 2: another way than in line 1 for the same flow",
                refused("path h0 h1 1 t0 s1 t1", "path h0 h1 1 t0 s2 t1"));
        assertEquals("paths: line 3: '10.0.0.1' is 'a' by line 1, and cannot be 'b' too",
                refused("switch a 10.0.0.1", "path h0 h1 1 t0", "switch b 10.0.0.1"));
    }

    @Test
    void manyBadLinesAreOneLineThatNamesTheFirst() {
        String[] lines = new String[20];
        Arrays.fill(lines, "x");
        String told = refused(lines);
        assertTrue(told.startsWith("paths: line 1: begins with 'x'") && told.endsWith("; 17 more lines are wrong")
                && !told.contains("\n"), told);
    }

    @Test
    void whatIsNoFileOfTextIsRefused() throws IOException {
        Files.createDirectory(at);
        assertTrue(assertThrows(IOException.class, () -> PathFile.open(at, () -> agents, LOOK_NS)).getMessage()
                .endsWith("is a directory"));
        Files.delete(at);
        assertTrue(assertThrows(IOException.class, () -> PathFile.open(at, () -> agents, LOOK_NS)).getMessage()
                .endsWith("there is no such file"));
        Files.write(at, new byte[] {'#', (byte) 0xff, '\n'});
        assertTrue(assertThrows(IOException.class, () -> PathFile.open(at, () -> agents, LOOK_NS)).getMessage()
                .endsWith("is not UTF-8"));
    }

    @Test
    void aFileBeyondItsBoundIsRefusedUnread() throws IOException {
        try (FileChannel out = FileChannel.open(at, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(new byte[] {'#'}), PathFile.MOST_BYTES);
        }
        assertTrue(assertThrows(IOException.class, () -> PathFile.open(at, () -> agents, LOOK_NS)).getMessage()
                .endsWith("has 67108865 bytes, 67108864 at most are read"));
    }

    @Test
    void tensOfThousandsOfWaysAreFoundEach() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int flow = 0; flow < 10_000; flow++) {
            lines.add("path h0 h2 " + flow + " t0 s" + flow % 97 + " t1");
            lines.add("path h2 h0 " + flow + " t1 s" + flow % 89 + " t0");
        }
        open(lines.toArray(String[]::new));
        assertEquals(20_000, file.size());
        for (int flow = 0; flow < 10_000; flow++) {
            assertEquals("s" + flow % 97, file.path(0, 2, flow).get(3).name());
            assertEquals("s" + flow % 89, file.path(2, 0, flow).get(3).name());
        }
    }
}
