package org.jvrpc.router.command;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.SlabNote;

/** A device that was let in: what it may have and where its memory lies. The sessions' thread. */
public interface Membership {

    TenantId tenant();

    /** Returns its folder's name and which token it came by, for the audit log. */
    String description();

    /** Returns the tenant's virtual addresses now, the first one first; at least one. */
    List<VirtualAddress> addresses();

    /**
     * Maps a file of the tenant's folder; its bytes are taken before it is touched.
     *
     * @return fails by a {@link org.jvrpc.router.RefusedException} when it is not what it must be, or more than is
     *     left; never waits: whoever owns the file can delay it for a bounded time
     */
    CompletableFuture<Slab> open(SlabNote note);

    /** Gives up a slab that the engine has given up. */
    void drop(int segment);

    /** Takes of a quota. @throws org.jvrpc.router.RefusedException when there is less left */
    void take(QuotaKind kind, long count);

    /** Gives back what was taken. */
    void give(QuotaKind kind, long count);

    /** The device is gone, and the engine has let go of it: gives back all that is taken. Idempotent. */
    void leave();
}
