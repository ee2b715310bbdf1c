package org.jvrpc.watch.drift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What differs, since when, and what could not be told. */
class DifferTest {

    private final SortedMap<String, Setting> settings = new TreeMap<>();
    private final ConfigurationSource tor = new ConfigurationSource() {
        @Override
        public Kind kind() {
            return Kind.SWITCH;
        }

        @Override
        public String subject() {
            return "T3";
        }

        @Override
        public SortedMap<String, Setting> read() {
            return settings;
        }
    };
    private Sightings sightings = new Sightings();
    private Desired desired;

    @BeforeEach
    void wanted() throws DesiredException {
        desired = Desired.parse("wanted.yaml", "fabric: {alpha: 1/16, pfc: 3, buffer: 12MB}");
        settings.put("alpha", Setting.of("0.0625"));
        settings.put("pfc", Setting.of("3"));
        settings.put("buffer", Setting.of("12000000"));
    }

    private Drift look(long nowMs) {
        return Differ.look(desired, List.of(tor), sightings, nowMs);
    }

    @Test
    void whatIsAsItShouldBeIsNoDifferenceHoweverItIsWritten() {
        Drift drift = look(1_000);
        assertEquals(List.of(), drift.differences());
        assertEquals(List.of(), drift.unreadable());
        assertEquals(3, drift.same());
    }

    @Test
    void aChangeIsBoundedByTheTwoLooksAroundIt() {
        look(1_000);
        look(2_000);
        settings.put("alpha", Setting.of("0.015625"));
        look(3_000);
        Difference found = look(4_000).differences().get(0);
        assertEquals(new Difference(ConfigurationSource.Kind.SWITCH, "T3", "alpha", "1/16", "1/64", 3_000, 2_000,
                "set alpha of T3 to 1/16 (in the simulated fabric: Switch.apply)"), found);
        assertFalse(found.sinceIsBound());
    }

    @Test
    void whatDifferedAtTheFirstLookHasNoBeginning() {
        settings.put("alpha", Setting.of("1/64"));
        look(1_000);
        Difference found = look(5_000).differences().get(0);
        assertEquals(1_000, found.sinceMs());
        assertTrue(found.sinceIsBound());
    }

    @Test
    void aSecondChangeBeginsAnew() {
        look(1_000);
        settings.put("alpha", Setting.of("1/64"));
        look(2_000);
        settings.put("alpha", Setting.of("1/32"));
        Difference found = look(3_000).differences().get(0);
        assertEquals("1/32", found.found());
        assertEquals(3_000, found.sinceMs());
        assertEquals(2_000, found.notBeforeMs());
    }

    @Test
    void aLookThatCouldNotReadIsNoSightOfAnything() {
        look(1_000);
        settings.put("alpha", Setting.refused("permission denied"));
        Drift blind = look(2_000);
        assertEquals(List.of(new Drift.Unreadable(ConfigurationSource.Kind.SWITCH, "T3", "alpha",
                "permission denied")), blind.unreadable());
        settings.put("alpha", Setting.of("1/64"));
        Difference found = look(3_000).differences().get(0);
        assertEquals(1_000, found.notBeforeMs(), "it was seen then, and not at 2,000");
    }

    @Test
    void aClockThatGoesBackMovesNoTimeBack() {
        look(5_000);
        settings.put("alpha", Setting.of("1/64"));
        Difference found = look(1_000).differences().get(0);
        assertEquals(5_000, found.sinceMs());
        assertEquals(5_000, found.notBeforeMs());
    }

    @Test
    void whatIsNotToldOrNotUnderstoodIsNamedAndNoDifference() {
        settings.remove("pfc");
        settings.put("buffer", Setting.of("much"));
        Drift drift = look(1_000);
        assertEquals(List.of(), drift.differences());
        assertEquals(List.of("buffer: found 'much' is not a number of bytes, as 4096, 5KB or 4KiB",
                "pfc: not told for a switch"),
                drift.unreadable().stream().map(one -> one.key() + ": " + one.why()).toList());
    }

    @Test
    void whatIsWantedOfNobodyIsANote() throws DesiredException {
        desired = Desired.parse("wanted.yaml", "fabric:\n  overrides:\n    'X*': {alpha: 1/16}\nhosts: {mtu: 4200}");
        assertEquals(List.of("wanted.yaml:3:11: fabric.overrides.X*: no switch here has a name like X*",
                "wanted.yaml:4:8: hosts: no host is told of here"), look(1).notes());
    }

    @Test
    void stateOutlivesTheProcess(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("state");
        settings.put("firmware", Setting.of("tab\tand\nline\\n"));
        look(1_000);
        settings.put("alpha", Setting.of("1/64"));
        look(2_000);
        sightings.write(file);
        sightings = Sightings.read(file);
        Difference found = look(3_000).differences().get(0);
        assertEquals(2_000, found.sinceMs());
        assertEquals(1_000, found.notBeforeMs());
        sightings.write(file);
        assertTrue(Files.readString(file).contains("tab\\tand\\nline\\\\n"));
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(file), left.toList(), "nothing else is left");
        }
    }

    /** A year ahead at one look, as a clock is that was never set. */
    @Test
    void aClockThatJumpsAheadForgetsNothing(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("state");
        look(1_000);
        settings.put("alpha", Setting.refused("permission denied"));
        look(1_000 + 365L * 24 * 3600 * 1000);
        sightings.write(file);
        sightings = Sightings.read(file);
        settings.put("alpha", Setting.of("1/64"));
        assertEquals(1_000, look(2_000).differences().get(0).notBeforeMs());
    }

    @Test
    void whatWasNotSeenForLongestIsForgottenWhereThereIsNoRoom(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("state");
        look(9_000_000); // by a clock that was ahead: these are seen at the next look, too
        sightings.see(ConfigurationSource.Kind.SWITCH, "old", "alpha", "1/4", 1_000);
        sightings.see(ConfigurationSource.Kind.SWITCH, "newer", "alpha", "1/4", 2_000);
        sightings.write(file);
        int all = (int) Files.size(file);
        sightings = Sightings.read(file);
        look(3_000);
        sightings.write(file, all - 1);
        String text = Files.readString(file);
        assertEquals(5, text.lines().count() - 1, text);
        assertTrue(text.contains("newer") && !text.contains("old"), text);
        Sightings.read(file);
    }

    @Test
    void aStateThatNoFileHasRoomForIsNotWritten(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("state");
        look(1_000);
        sightings.write(file);
        String before = Files.readString(file);
        look(2_000);
        String why = assertThrows(IOException.class, () -> sightings.write(file, before.length() - 1)).getMessage();
        assertTrue(why.startsWith(file.toString()) && why.contains(before.length() - 1 + " bytes"), why);
        assertEquals(before, Files.readString(file));
    }

    @Test
    void aStateThatIsNoRegularFileIsRefusedAtOnce(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        for (Path file : List.of(folder, pipe)) {
            assertEquals(file + ": not a regular file", assertThrows(IOException.class, () -> Sightings.read(file))
                    .getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "jvrpc-drift-state 1\n", "jvrpc-drift-state 2\nend\n",
        "jvrpc-drift-state 1\n1\t-1\t1\tSWITCH\tT3\talpha\nend\n",
        "jvrpc-drift-state 1\nx\t-1\t1\tSWITCH\tT3\talpha\t1\nend\n",
        "jvrpc-drift-state 1\n1\t-1\t1\tTOASTER\tT3\talpha\t1\nend\n",
        "jvrpc-drift-state 1\n1\t-1\t1\tSWITCH\tT3\talpha\t1\n"})
    void aStateThatIsNotWholeIsRefused(String text, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("state");
        Files.writeString(file, text);
        String message = assertThrows(IOException.class, () -> Sightings.read(file)).getMessage();
        assertTrue(message.startsWith(file.toString()), message);
        assertEquals(text, Files.readString(file), "it is left as it is");
    }

    @Test
    void aStateThatIsNotThereRemembersNothing(@TempDir Path folder) throws IOException {
        sightings = Sightings.read(folder.resolve("none"));
        settings.put("alpha", Setting.of("1/64"));
        assertTrue(look(1).differences().get(0).sinceIsBound());
    }
}
