package org.jvrpc.verbs.host;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is dead, by the files that the kernel has of a process. */
class ProcessIdTest {

    private static final String FIELDS = " 1 7 7 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0";
    private static final long UNKNOWN = -1;

    @TempDir
    private Path proc;
    private Path process;

    @BeforeEach
    void aFolder() throws IOException {
        process = Files.createDirectory(proc.resolve("7"));
    }

    private void stat(String text) throws IOException {
        Files.writeString(process.resolve("stat"), text);
    }

    @Test
    void aProcessLivesWhileItsStartIsThatOfTheName() throws IOException {
        stat("7 (a (b) Z) S" + FIELDS + " 1234 5678 9\n");
        assertFalse(ProcessId.isDead(process, 1234));
        assertFalse(ProcessId.isDead(process, UNKNOWN));
        assertTrue(ProcessId.isDead(process, 1235), "its number is another's now");
        assertTrue(ProcessId.isDead(process, 0), "the name was made when there was no such process");
    }

    @Test
    void aProcessThatNobodyWaitedForIsDead() throws IOException {
        stat("7 (java) Z" + FIELDS + " 1234 0");
        assertTrue(ProcessId.isDead(process, 1234));
        stat("7 (java) X" + FIELDS + " 1234 0");
        assertTrue(ProcessId.isDead(process, UNKNOWN));
    }

    @Test
    void whereTheFormatIsAnotherAProcessLivesAsLongAsItIsThere() throws IOException {
        stat("7 (java) S" + FIELDS);
        assertFalse(ProcessId.isDead(process, 1234), "it ends before the start");
        stat("7 (java) S" + FIELDS + " 1234");
        assertTrue(ProcessId.isDead(process, 1235), "it ends with the start");
        stat("7 (java) S" + FIELDS + " soon 0");
        assertFalse(ProcessId.isDead(process, 1234), "the start is no number");
        stat("");
        assertFalse(ProcessId.isDead(process, 1234), "there is nothing");
    }

    @Test
    void aProcessOfWhichThereIsNoFileIsDead() {
        assertTrue(ProcessId.isDead(process, UNKNOWN));
        assertTrue(ProcessId.isDead(proc.resolve("8"), UNKNOWN));
    }

    @Test
    void aProcessWhoseFileCannotBeReadIsDeadWhenItsFolderIsGone() throws IOException {
        Files.createDirectory(process.resolve("stat"));
        assertFalse(ProcessId.isDead(process, UNKNOWN), "its folder is there");
        // A link to itself: it is not there, but reading fails otherwise, as where a process ends meanwhile.
        Path loop = Files.createSymbolicLink(proc.resolve("9"), proc.resolve("9"));
        assertTrue(ProcessId.isDead(loop, UNKNOWN));
    }
}
