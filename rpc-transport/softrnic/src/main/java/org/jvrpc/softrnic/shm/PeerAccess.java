package org.jvrpc.softrnic.shm;

import java.util.function.Consumer;
import org.jvrpc.softrnic.chain.ChainEngine;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.verbs.VerbsException;

/** What a QP has of the peer that it sends to: its memory, the claim of being its one initiator, its chains. */
final class PeerAccess {

    private final String device;
    private final long address;
    private final AddressSpace arena;
    private Responder claimed;
    /** The peer's port when it is of this process, else null. */
    private ShmPort neighbour;
    /** The peer's group of chains, when this process has it for this QP only; else null. */
    private ChainGroup chains;

    private PeerAccess(String device, long address, AddressSpace arena) {
        this.device = device;
        this.address = address;
        this.arena = arena;
    }

    /**
     * Claims a peer for an initiator.
     *
     * @param wake called when the peer's CQ is armed
     * @param begin what is done with the peer when it is claimed, and may refuse it
     * @throws VerbsException when it cannot be reached, makes no sense, or has another initiator: then nothing is left
     */
    static PeerAccess open(
            ShmNode own, ShmEndpoint peer, long initiator, Runnable wake, boolean lazyWake,
            Consumer<PeerAccess> begin) {
        PeerAccess access = new PeerAccess(peer.device(), peer.address(), own.arenaOf(peer.device()));
        try {
            Responder responder = Responder.of(access.arena, access.address, wake, lazyWake);
            responder.claim(initiator);
            access.claimed = responder;
            begin.accept(access);
        } catch (VerbsException e) {
            access.undo(initiator);
            throw e;
        } catch (RuntimeException | InternalError e) {
            access.undo(initiator);
            throw new VerbsException("modify_qp", "peer's memory makes no sense: name=" + access.device + " address=0x"
                    + Long.toHexString(access.address) + ": " + e, e);
        }
        access.neighbour = ShmNode.portOf(access.device, access.address);
        if (access.neighbour != null) {
            access.neighbour.visitor().watch();
        }
        return access;
    }

    private void undo(long initiator) {
        if (claimed != null) {
            claimed.unclaim(initiator);
        }
        arena.close(); // chains have run nothing yet, and have no other memory
    }

    Responder responder() {
        return claimed;
    }

    /** Tells a cross-channel QP, and with it all processes that run its group, who the peer is. */
    void tell(ChainEngine engine) {
        engine.connect(device, address);
    }

    /** Has messages run the peer's chains, when it has any. */
    void findChains(ShmNode own) {
        if (claimed.group() != 0) {
            ChainGroup known = ShmNode.chainsOf(device, claimed.group());
            chains = known != null ? null : new ChainGroup(own, arena, device, claimed.group());
            claimed.chains(known != null ? known : chains);
        }
    }

    /** Returns true when the peer's messages are executed by whoever runs its chains, not by its process alone. */
    boolean isChained() {
        return claimed.group() != 0;
    }

    /** @param quiet true when no thread writes to the peer's memory for this QP any more */
    void leave(boolean quiet) {
        if (chains != null) {
            chains.close();
        }
        if (neighbour != null) {
            neighbour.visitor().leave(quiet);
        }
        arena.close();
    }
}
