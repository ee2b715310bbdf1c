package org.jvrpc.softrnic.rc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntUnaryOperator;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.Mirror;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/**
 * The peer's QP as its one initiator sees it: the responder's state of the connection, held here, and the peer's rings
 * and table of memory regions. Not final because of {@link SharedResponder}; where no SRQ is used that class is not
 * loaded, and no call is dispatched. One thread, the initiator's.
 */
public class Responder {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;
    private final int context;
    /** What holds the doorbell record and the receive ring: the context's memory, or that of its owner's copy. */
    private final ByteBuffer rings;
    private final int record;
    private final int ring;
    private final int mask;
    private final int stride;
    private final SharedKeys keys;
    /** By which an initiator reaches the peer's memory. */
    private final SharedKeys remoteKeys;
    private final long group;
    private final CqWriter completions;
    private MessageChains chains;
    private int consumed;
    private int posted;

    /**
     * @param wake called when the peer's CQ is armed
     * @param lazy true when {@link CqWriter#settle} follows publications
     */
    public Responder(AddressSpace arena, long address, Runnable wake, boolean lazy) {
        this(arena, address, wake, lazy, null);
    }

    /** As above. @param keyOf tells the key that an initiator knows by a number; null where it knows keys */
    public Responder(
            AddressSpace arena, long address, Runnable wake, boolean lazy, IntUnaryOperator keyOf) {
        CqContext.checkAlignment(address, "queue pair");
        Slab slab = arena.require(address, QpContext.BYTES, "queue pair");
        this.memory = slab.window(address);
        this.context = Slab.index(address);
        int entries = QpContext.rqEntries(memory, context);
        this.stride = QpContext.rqStride(memory, context);
        long owner = QpContext.owner(memory, context);
        long behind = owner == 0 ? address : owner;
        CqContext.checkAlignment(behind, "queue pair");
        Slab ringSlab = owner == 0 ? slab : arena.require(owner, QpContext.BYTES, "queue pair");
        boolean sane = QpContext.isSane(memory, context, entries, stride)
                && ringSlab.containsInWindow(behind, QpContext.RINGS + (long) entries * stride);
        if (!sane) {
            throw new VerbsException("modify_qp", "no queue pair at address=0x" + Long.toHexString(address));
        }
        this.rings = ringSlab.window(behind);
        this.record = Slab.index(behind) + QpContext.RECORD + DoorbellRecord.RECEIVE;
        this.ring = Slab.index(behind) + QpContext.RINGS;
        this.mask = entries - 1;
        this.keys = new SharedKeys(arena, QpContext.pd(memory, context));
        this.remoteKeys = keyOf == null ? keys : SharedKeys.of(arena, QpContext.pd(memory, context), keyOf);
        this.group = QpContext.group(memory, context);
        this.completions = CqWriter.of(
                arena, QpContext.cq(memory, context), QpContext.qpn(memory, context), wake, lazy);
    }

    /**
     * Looks at a peer's QP.
     *
     * @throws VerbsException when there is none, or it is one that nobody connects to
     */
    public static Responder of(AddressSpace arena, long address, Runnable wake, boolean lazy) {
        return of(arena, address, wake, lazy, null);
    }

    /** As above. @param keyOf tells the key that an initiator knows by a number; null where it knows keys */
    public static Responder of(
            AddressSpace arena, long address, Runnable wake, boolean lazy, IntUnaryOperator keyOf) {
        Responder plain = new Responder(arena, address, wake, lazy, keyOf);
        if (QpContext.isDatagram(plain.memory, plain.context)) {
            throw new VerbsException("modify_qp", "the peer is a datagram QP, which has no peer: qp number="
                    + plain.qpn());
        }
        long srq = QpContext.srq(plain.memory, plain.context);
        return srq == 0 ? plain : new SharedResponder(arena, address, wake, lazy, keyOf, srq);
    }

    int qpn() {
        return QpContext.qpn(memory, context);
    }

    public boolean isReady() {
        return QpContext.isReady(memory, context);
    }

    /** Returns true while the peer takes no message yet because it is being connected. */
    boolean isInit() {
        return QpContext.isInit(memory, context);
    }

    /** Claims the peer for an initiator. @throws VerbsException when another has it */
    public void claim(long initiator) {
        long owner = QpContext.claim(memory, context, initiator);
        if (owner != initiator) {
            throw new VerbsException("modify_qp", "the peer is connected to another QP: qp number="
                    + QpContext.qpn(memory, context) + " initiator=0x" + Long.toHexString(owner));
        }
    }

    /** Ends a claim that came to nothing. */
    public void unclaim(long initiator) {
        QpContext.unclaim(memory, context, initiator);
    }

    /** Returns the address of the group of chains that the peer's QP belongs to; 0 for an ordinary QP. */
    public long group() {
        return group;
    }

    /** Sets the chains that messages to the peer run. */
    public void chains(MessageChains chains) {
        this.chains = chains;
    }

    /** Returns the chains that messages to the peer run, or null. */
    MessageChains chains() {
        return chains;
    }

    /** Goes on where another process, or this one, stopped to consume receives. */
    public void resume(int consumed) {
        if (this.consumed != consumed) {
            this.consumed = consumed;
            posted = consumed;
        }
    }

    /** Returns how many receives were consumed. */
    public int consumed() {
        return consumed;
    }

    public CqWriter completions() {
        return completions;
    }

    /** Returns the memory that holds the receive WQEs. */
    ByteBuffer memory() {
        return rings;
    }

    /** Returns the bytes of data segments in a receive WQE. */
    int stride() {
        return stride;
    }

    /**
     * Returns the offset of the oldest receive WQE that is not consumed, or -1 when the peer is not ready to receive.
     */
    int peekReceive() {
        if (consumed == posted) {
            // Acquire: pairs with the release of the counter by the peer's post.
            int counter = BigEndian.getIntAcquire(rings, record);
            posted += counter - posted & DoorbellRecord.COUNTER_MASK;
            if (consumed == posted) {
                return -1;
            }
        }
        return ring + (consumed & mask) * stride;
    }

    /** Returns false where the CQE of a receive must have room for an SRQ's number. */
    boolean hasOwnReceives() {
        return true;
    }

    /** Consumes the WQE of {@link #peekReceive} and returns its counter. */
    int consume() {
        return consumed++;
    }

    /**
     * Copies a message over the pieces of a receive WQE. False when it does not fit, or needs more than one window for
     * a piece; what was copied until then does no harm.
     */
    boolean scatter(int wqe, ByteBuffer source, int from, int total) {
        int rest = total;
        int key = 0;
        SharedKeys.Region region = null;
        ByteBuffer wqes = memory();
        for (int at = wqe; at < wqe + stride() && rest > 0; at += Wqe.SEGMENT) {
            long lengthAndKey = BigEndian.getLong(wqes, at);
            long address = Wqe.dataAddress(wqes, at);
            int piece = Math.min(rest, (int) (lengthAndKey >>> 32));
            if (region == null || (int) lengthAndKey != key) {
                key = (int) lengthAndKey;
                region = receiveKeys().region(key, Access.LOCAL_WRITE);
            }
            if (piece <= 0 || region == null || region.room(address) < piece) {
                return false;
            }
            if (piece == 4) { // an index of a chain
                INT.set(region.window(), Slab.index(address), (int) INT.get(source, from));
            } else {
                Copy.bytes(source, from, region.window(), Slab.index(address), piece);
            }
            from += piece;
            rest -= piece;
        }
        return rest == 0;
    }

    /** Returns how many bytes a receive WQE takes. */
    long capacity(int wqe) {
        long capacity = 0;
        ByteBuffer wqes = memory();
        for (int at = wqe; at < wqe + stride(); at += Wqe.SEGMENT) {
            if (Wqe.isEnd(wqes, at)) {
                break;
            }
            capacity += Wqe.byteCount(wqes, at);
        }
        return capacity;
    }

    /** Returns the peer's slab that holds {@code bytes} from an address on, when its key allows it; else null. */
    Slab region(int key, long address, long bytes, int access) {
        return remoteKeys.find(key, address, bytes, access);
    }

    /** Copies from the peer's memory; false when the peer is not there, or its key does not allow that. */
    final boolean read(int key, long address, ByteBuffer into, int at, int length) {
        Slab slab = isReady() ? region(key, address, length, Access.REMOTE_READ) : null;
        if (slab == null) {
            return false;
        }
        VarHandle.acquireFence(); // as a READ: what an earlier one saw must not be newer
        for (int done = 0; done < length;) {
            long from = address + done;
            int piece = (int) Math.min(length - done, Slab.untilWindowEnd(from));
            into.put(at + done, slab.window(from), Slab.index(from), piece);
            done += piece;
        }
        VarHandle.acquireFence();
        return true;
    }

    /** As {@link #region}, for what a receive names. */
    Slab receiveRegion(int key, long address, long bytes) {
        return keys.find(key, address, bytes, Access.LOCAL_WRITE);
    }

    /** Returns the keys that receives have. */
    SharedKeys receiveKeys() {
        return keys;
    }

    /** Returns the keys of the peer's domain, as initiators know them. */
    public SharedKeys keys() {
        return remoteKeys;
    }

    /** Returns the address of a receive WQE's first segment. */
    long address(int wqe) {
        return Wqe.dataAddress(memory(), wqe);
    }

    /**
     * Returns the window that holds the first bytes of a receive WQE's memory, or null when it takes the long way.
     *
     * @param address what {@link #address} said: the peer may change the WQE meanwhile
     */
    ByteBuffer window(int wqe, long address, int bytes) {
        Slab slab = receiveRegion(Wqe.dataLkey(memory(), wqe), address, bytes);
        return slab != null && bytes <= Slab.untilWindowEnd(address) ? slab.window(address) : null;
    }

    /** Completes the oldest receive with an error and moves the peer's QP to ERR. */
    void failReceive(WcStatus status, int vendorError) {
        failReceive(consume(), status, vendorError, 0);
    }

    final void failReceive(int counter, WcStatus status, int vendorError, int srqn) {
        failState();
        completions.fail(counter, Cqe.RESP_ERR, status, vendorError, srqn);
        completions.attention();
    }

    private void failState() {
        QpContext.fail(memory, context);
        if (rings != memory) {
            Mirror.state(rings, record - QpContext.RECORD - DoorbellRecord.RECEIVE, QueuePairState.ERR);
        }
    }

    /** Gives up a receive that was looked at and will not be consumed, where others could have it. */
    public void giveUp() {
    }

    /** Moves the peer's QP to ERR. */
    void fail() {
        failState();
        completions.attention();
    }
}
