package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.testing.UnreapedChild;
import org.jvrpc.verbs.host.ProcessId;

/** Claims of a group of chains whose process is dead in one way or another, or only seems to be. */
final class ChainClaimTest {

    private final ChainEnd end = new ChainEnd(ShmUnderTest.open());
    private final ChainGroup group = ((SoftChains) end.chains).group();
    private final ByteBuffer memory;
    private final int context;

    ChainClaimTest() {
        AddressSpace arena = ((SoftDevice) end.device).arena();
        memory = arena.require(group.address(), GroupContext.BYTES, "group").window(group.address());
        context = Slab.index(group.address());
    }

    @AfterEach
    void close() {
        GroupContext.release(memory, context);
        end.close();
    }

    private void claimFor(long process) {
        assertEquals(0, GroupContext.claim(memory, context, process));
    }

    private void expectCutOff() {
        assertFalse(group.claim(), "a group whose queues were left in the middle is not run");
        assertTrue(group.isCutOff(), "the claim of a dead process stands");
    }

    @Test
    void aProcessThatNobodyHasWaitedForIsDead() {
        try (UnreapedChild child = UnreapedChild.start()) {
            child.end();
            claimFor(ProcessId.of(child.pid()));
            expectCutOff();
        }
    }

    @Test
    void aNumberThatAnotherProcessHasNowIsDead() throws IOException {
        Process later = new ProcessBuilder("sleep", "1000").start();
        try {
            long id = ProcessId.of(later.pid());
            assertFalse(ProcessId.isDead(id), "it lives");
            claimFor(id ^ 1L << 22); // one of the same number that started at another time
            expectCutOff();
        } finally {
            later.destroyForcibly();
        }
    }

    @Test
    void thisProcessesNumberBeforeItsTimeIsDead() {
        claimFor(ProcessId.SELF ^ 1L << 22);
        expectCutOff();
    }

    @Test
    void aProcessOfAnotherNamespaceIsWaitedForInVain() {
        claimFor(ProcessId.SELF ^ 1L << 50);
        assertFalse(group.claim());
        assertFalse(group.isCutOff(), "nothing tells whether it lives");
        GroupContext.release(memory, context);
        assertTrue(group.claim());
    }

    @Test
    void aLivingProcessKeepsItsClaim() throws IOException {
        Process living = new ProcessBuilder("sleep", "1000").start();
        try {
            claimFor(ProcessId.of(living.pid()));
            assertFalse(group.claim());
            assertFalse(group.isCutOff());
        } finally {
            living.destroyForcibly();
        }
    }
}
