package org.jvrpc.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {

    @Test
    void aChildTellsThatItIsReadyAndHasTheFolderOfItsTest() {
        try (ChildJvm child = Role.of("ready").start()) {
            assertEquals(SharedMemoryFolder.path().toString(), child.expect("READY"));
            assertTrue(child.isAlive());
        }
    }

    @Test
    void itIsToldLinesAndItsExitStatusAndOutputAreKept() {
        try (ChildJvm child = Role.of("echo").start()) {
            child.tell("one two");
            assertEquals("one two", child.expect("TOLD"));
            child.tell("end");
            assertEquals(7, child.exitStatus());
            assertEquals(List.of("TOLD one two", "on standard error"), child.output());
            assertTrue(assertThrows(AssertionError.class, child::expectEnd).getMessage().contains("ended with 7"));
        }
    }

    @Test
    void standardErrorMayBeApart() {
        try (ChildJvm child = Role.of("echo").errorsApart().start()) {
            child.tell("end");
            assertEquals(7, child.exitStatus());
            assertEquals(List.of(), child.output());
            assertEquals(List.of("on standard error"), child.errors());
        }
    }

    @Test
    void whatItSaidIsShownWhenItDoesNotSayWhatIsExpected() {
        try (ChildJvm child = Role.of("no such role").start()) {
            String why = assertThrows(AssertionError.class, () -> child.expect("READY")).getMessage();
            assertTrue(why.contains("did not say READY, and ended its output"), why);
            assertTrue(why.contains("IllegalArgumentException: no role no such role"), why);
            assertEquals(1, child.exitStatus());
        }
    }

    @Test
    void aStoppedChildSaysNothingUntilItGoesOn() {
        try (ChildJvm child = Role.of("echo").start()) {
            child.tell("before");
            child.expect("TOLD before");
            child.stop();
            child.tell("meanwhile");
            assertEquals(List.of("TOLD before"), child.output());
            child.resume();
            child.expect("TOLD meanwhile");
            child.stop();
            child.kill();
            assertEquals(128 + 9, child.exitStatus());
        }
    }

    @Test
    void outputThatNobodyReadsHoldsUpNobodyAndIsThereAfterTheEnd() {
        try (ChildJvm child = Role.of("talks").start()) {
            child.expectEnd();
            assertEquals(100_000, child.output().size());
            assertEquals("line 0", child.line());
            child.forget();
            assertNull(child.line());
        }
    }

    @Test
    void aChildEndsWithItsParentHoweverThatDies() {
        try (ChildJvm parent = Role.of("parent").start()) {
            long child = Long.parseLong(parent.expect("CHILD"));
            assertTrue(Processes.isRunning(child));
            parent.kill();
            Waits.until("the end of the orphan", () -> !Processes.isRunning(child));
        }
    }

    @Test
    void theEndOfItsInputEndsIt() {
        try (ChildJvm child = Role.of("ready").start()) {
            child.expect("READY");
            child.endInput();
            assertEquals(Parent.ORPHAN, child.exitStatus());
        }
    }

    @Test
    void aChildMayBeStartedByAnotherCommand() {
        try (ChildJvm child = Role.of("ready").startedBy(List.of("env", "A=b")).start()) {
            child.expect("READY");
        }
    }

    @Test
    void aClosedChildIsGone() {
        ChildJvm child = Role.of("ready").start();
        child.close();
        assertFalse(child.isAlive());
        child.close();
    }
}
