package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.verbs.VerbsException;

/** What an initiator takes of its peer, and gives back: the claim, the folder, the word that it has left. */
class PeerAccessTest {

    private static final String ELSEWHERE = "d-4194305-b0";

    private final RawPeers rig = new RawPeers();
    private final ShmNode own = ShmNode.open(System::nanoTime, () -> { });
    private final ShmEnd target = rig.end();
    private final ShmEndpoint peer = ShmEndpoint.decode("test", target.qp.endpoint());

    @AfterEach
    void close() {
        own.leave();
        own.end();
        rig.close();
    }

    private PeerAccess open(ShmEndpoint of, long initiator, Consumer<PeerAccess> begin) {
        return PeerAccess.open(own, of, initiator, () -> { }, false, begin);
    }

    @Test
    void aPeerHasOneInitiatorUntilItsAttemptComesToNothing() {
        VerbsException refusal = new VerbsException("modify_qp", "the test's");
        assertSame(refusal, assertThrows(VerbsException.class, () -> open(peer, 7, claimed -> {
            assertNotNull(claimed.responder());
            throw refusal;
        })));
        String nonsense = assertThrows(VerbsException.class, () -> open(peer, 8, claimed -> {
            throw new IllegalStateException("the test's");
        })).getMessage();
        assertTrue(nonsense.contains("peer's memory makes no sense: name=" + peer.device() + " address=0x"
                + Long.toHexString(peer.address()) + ": "), nonsense);
        PeerAccess access = open(peer, 9, claimed -> { });
        for (int other = 10; other < 12; other++) {
            long initiator = other;
            String taken = assertThrows(VerbsException.class, () -> open(peer, initiator, claimed -> { }))
                    .getMessage();
            assertTrue(taken.contains("is connected to another QP") && taken.contains("initiator=0x9"), taken);
        }
        access.leave(true);
    }

    @Test
    void theFolderOfAPeerIsInUseFromTheClaimToTheEndOrToAnAttemptThatComesToNothing() throws IOException {
        Path folder = rig.elsewhere(ELSEWHERE, target.qp.endpoint());
        ShmEndpoint copy = new ShmEndpoint(peer.address(), ELSEWHERE);
        PeerAccess access = open(copy, 7, claimed -> { });
        assertTrue(Files.exists(folder), "it is in use");
        access.leave(true);
        assertFalse(Files.exists(folder), "its owner is dead, and who used it has left");
        rig.elsewhere(ELSEWHERE, target.qp.endpoint());
        assertThrows(VerbsException.class, () -> open(copy, 8, claimed -> {
            throw new IllegalStateException("the test's");
        }));
        assertFalse(Files.exists(folder), "nobody uses it");
    }

    @Test
    void aPeerOfThisProcessIsToldWhenItsInitiatorHasLeft() {
        ShmEnd large = rig.large();
        byte[] endpoint = large.qp.endpoint();
        PeerAccess access = open(ShmEndpoint.decode("test", endpoint), 7, claimed -> { });
        large.qp.close();
        assertFalse(rig.isUsedAgain(endpoint), "the initiator may be at work");
        access.leave(true);
        assertTrue(rig.isUsedAgain(endpoint));
    }

    @Test
    void aPeerIsChainedWhereItsQueuePairBelongsToAGroup() {
        PeerAccess access = open(peer, 7, claimed -> claimed.findChains(own));
        assertFalse(access.isChained());
        access.leave(true);
        assertEquals(0, own.groups());
    }
}
