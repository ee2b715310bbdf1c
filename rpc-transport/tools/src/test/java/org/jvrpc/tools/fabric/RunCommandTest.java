package org.jvrpc.tools.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What is printed and written, and what is refused. */
class RunCommandTest {

    private static final String SHORT = "latency-round-robin-1";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return new CommandLine(new FabricCommand()).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true)).execute(words);
    }

    private Set<String> files(Path of) throws IOException {
        try (Stream<Path> found = Files.list(of)) {
            return found.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void listsEachRunInALine() {
        assertEquals(0, run("list"));
        assertTrue(out.toString().contains("deadlock-cured "), out::toString);
        assertTrue(out.toString().lines().allMatch(line -> line.matches("[a-z0-9-]+ +\\S.*")), out::toString);
    }

    @Test
    void writesPageAndPicturesAndNoCapture() throws IOException {
        Path to = folder.resolve("new/er");
        assertEquals(0, run("run", SHORT, "--out", to.toString(), "--samples", "50"), err::toString);
        assertEquals("[.jvrpc-fabric, index.html, pauses.png, queues.png, rates.png, stored.png, windows.png]",
                files(to).toString());
        assertTrue(ImageIO.read(to.resolve("rates.png").toFile()).getWidth() > 1000);
        assertTrue(Files.readString(to.resolve("index.html")).contains(SHORT + ", seed 1"));
    }

    @Test
    void aCaptureIsItsOwnersAlone() throws IOException {
        assertEquals(0, run("run", SHORT, "--out", folder.toString(), "--capture", "--capture-frames", "7"));
        assertEquals("rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("packets.pcap"))));
        assertTrue(Files.readString(folder.resolve("index.html")).contains("The capture ended after 7 frames."));
    }

    @Test
    void replacesItsOwnFilesAndWritesThroughNoLink() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "mine");
        Path to = folder.resolve("out");
        assertEquals(0, run("run", SHORT, "--out", to.toString(), "--samples", "5"));
        Files.delete(to.resolve("index.html"));
        Files.createSymbolicLink(to.resolve("index.html"), victim);
        assertEquals(0, run("run", SHORT, "--out", to.toString(), "--samples", "5"));
        assertEquals("mine", Files.readString(victim));
        assertTrue(Files.isRegularFile(to.resolve("index.html")) && !Files.isSymbolicLink(to.resolve("index.html")));
    }

    @Test
    void leavesAFolderOfOthersAlone() throws IOException {
        Files.writeString(folder.resolve("thesis.tex"), "mine", StandardCharsets.UTF_8);
        assertEquals(1, run("run", SHORT, "--out", folder.toString()));
        assertEquals("jvrpc fabric run: " + folder + ": has files that jvrpc fabric did not write: name another folder,"
                + " or empty this one\n", err.toString());
        assertEquals("[thesis.tex]", files(folder).toString());
    }

    @Test
    void saysThatAFileIsNoFolder() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertEquals(1, run("run", SHORT, "--out", file.toString()));
        assertEquals("jvrpc fabric run: " + file + ": is no folder\n", err.toString());
    }

    @Test
    void severalRunsHaveAFolderEach() throws IOException {
        assertEquals(0, run("run", "latency-round-robin-0", SHORT, "--out", folder.toString(), "--samples", "5"));
        assertEquals("[latency-round-robin-0, latency-round-robin-1]", files(folder).toString());
    }

    @Test
    void replaysACaptureOfItsOwn() throws IOException {
        assertEquals(0, run("run", SHORT, "--out", folder.toString(), "--capture", "--capture-frames", "500"));
        String file = folder.resolve("packets.pcap").toString();
        assertEquals(0, run("replay", file), out::toString);
        assertTrue(out.toString().contains("2 flows, no differences"), out::toString);
        assertEquals(0, run("replay", file, "--lose", "7"));
        assertTrue(out.toString().contains("frame 7 lost"), out::toString);
        assertEquals(2, run("replay", file, "--lose", "501"));
    }

    @Test
    void saysWhyAFileIsNotReplayed() throws IOException {
        Path file = Files.writeString(folder.resolve("text"), "this is no capture at all");
        assertEquals(1, run("replay", file.toString()));
        assertEquals(1, run("replay", folder.resolve("nothing").toString()));
        assertEquals("jvrpc fabric replay: " + file + ": no capture (pcap): magic=0x73696874\n"
                + "jvrpc fabric replay: " + folder.resolve("nothing") + ": is not there\n", err.toString());
    }

    @Test
    void aSearchSaysWhatItTriedAndPrintsWhatItFoundAsATest() {
        assertEquals(0, run("search", "--schedules", "200", "--seed", "5"));
        assertTrue(out.toString().startsWith("tried 200 schedules, seeds 5 to 204, in "), out::toString);
        assertTrue(out.toString().endsWith(": no violation\n"), out::toString);
        assertEquals(1, run("search", "--schedules", "1000", "--retries", "0"));
        assertTrue(out.toString().contains("assertNull(Trial.run(new Setup("), out::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"search --schedules 0", "search --seconds 0", "replay", "replay x --ack-timeout-us 0",
        "run", "run nonesuch", "run latency --samples 1", "run latency --capture", "nonesuch", ""})
    void refusesWrongWords(String words) {
        assertEquals(2, run(words.isEmpty() ? new String[0] : words.split(" ")));
        assertTrue(!err.toString().isEmpty() && out.toString().isEmpty(), () -> out + "\n" + err);
    }
}
