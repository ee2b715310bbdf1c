package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** The process that the suites have their servers in. */
class ChildProcessTest {

    private final ChildProcess child = ChildProcess.start();

    @AfterEach
    void kill() {
        child.kill();
    }

    private void tell(ServerProcess.Task task) {
        child.ask(side -> {
            task.on(side);
            return null;
        });
    }

    private long ticks() {
        return child.ask(side -> side.impl.ticks.get());
    }

    @Test
    void workIsDoneInAnotherProcessWithWhatATestHasThere() {
        long here = ProcessHandle.current().pid();
        long there = child.ask(side -> ProcessHandle.current().pid());
        assertNotEquals(here, there);
        int more = 5;
        tell(side -> side.impl.ticks.addAndGet(more));
        assertEquals(5, ticks());
    }

    @Test
    void theNextTestFindsNothingOfTheOneBefore() {
        tell(side -> {
            side.impl.ticks.set(7);
            side.keep(() -> System.setProperty("closed", "yes"));
        });
        child.close();
        assertEquals(0, ticks());
        assertEquals("yes", child.ask(side -> System.getProperty("closed")));
    }

    @Test
    void whatWorkThrowsIsThrownHere() {
        RpcException status = assertThrows(RpcException.class, () -> tell(side -> {
            throw new RpcException(Status.NOT_FOUND, "there");
        }));
        assertEquals(Status.NOT_FOUND, status.status());
        assertEquals("asked here", status.getSuppressed()[0].getMessage());
        assertEquals("mine", assertThrows(AssertionError.class, () -> tell(side -> {
            throw new AssertionError("mine");
        })).getMessage());
        assertInstanceOf(InterruptedException.class, assertThrows(AssertionError.class, () -> tell(side -> {
            throw new InterruptedException();
        })).getCause());
        assertTrue(assertThrows(AssertionError.class, () -> tell(side -> {
            throw new Untravelled();
        })).getMessage().contains("Untravelled"), "one that does not travel is text");
    }

    private static final class Untravelled extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) throws IOException {
            throw new NotSerializableException("a failure");
        }
    }

    @Test
    void workThatTakesTheTestAlongIsRefused() {
        UncheckedIOException e = assertThrows(UncheckedIOException.class, () -> child.ask(side -> toString()));
        assertInstanceOf(NotSerializableException.class, e.getCause());
        assertTrue(child.isAlive());
    }

    /** Long before any wait for it is over. */
    @Test
    @Timeout(50)
    void aProcessThatDiesFailsTheTestAtOnceAndSaysWhatItSaid() {
        AssertionError e = assertThrows(AssertionError.class, () -> tell(side -> {
            System.err.println("last words");
            Runtime.getRuntime().halt(3);
        }));
        assertTrue(e.getMessage().contains("last words") && e.getMessage().contains("ended with 3"), e.getMessage());
        assertFalse(child.isAlive());
        AssertionError again = assertThrows(AssertionError.class, child::close);
        assertTrue(again.getMessage().contains("last words"), again.getMessage());
    }
}
