package org.jvrpc.ibverbs.core;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.ibverbs.binding.Layouts.Mr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;

/** Memory registered with a device. Source: ibv_reg_mr(3). Any thread. */
final class RdmaMemoryRegion implements MemoryRegion {

    /** Regions of callers' buffers: such memory may be nobody else's while the device may write it. */
    private static final Map<RdmaContext, Set<RdmaMemoryRegion>> GIVEN = new ConcurrentHashMap<>();

    private final RdmaDomain domain;
    private final long mr;
    private final PinnedMemory own;
    private final ByteBuffer given;
    private final RdmaMemoryRegion other;
    /** Its owner may cut it: no processor of this process touches it. */
    private final boolean adopted;
    private final long offset;
    private final long address;
    private final long length;
    private final int access;
    private final int lkey;
    private final int rkey;
    private boolean closed;

    private RdmaMemoryRegion(RdmaDomain domain, PinnedMemory own, ByteBuffer given, RdmaMemoryRegion other,
            boolean adopted, long offset, long address, long length, int access) {
        this.domain = domain;
        this.own = own;
        this.given = given;
        this.other = other;
        this.adopted = adopted;
        this.offset = offset;
        this.address = address;
        this.length = length;
        this.access = access;
        this.mr = domain.register(address, length, access);
        this.lkey = Native.intAt(mr + Mr.LKEY);
        this.rkey = Native.intAt(mr + Mr.RKEY);
    }

    static RdmaMemoryRegion allocate(RdmaDomain domain, long length, int access) {
        Access.check(access);
        PinnedMemory memory = PinnedMemory.map(length);
        return new RdmaMemoryRegion(domain, memory, null, null, false, 0, memory.address(), length, access);
    }

    static RdmaMemoryRegion of(RdmaDomain domain, ByteBuffer direct, int access) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("only direct buffers can be registered, buffer=" + direct);
        }
        return of(domain, direct, access, false);
    }

    /** Registers memory that its owner may cut, see {@link RdmaDomain#adopt(ByteBuffer, int)}. */
    static RdmaMemoryRegion adopt(RdmaDomain domain, ByteBuffer direct, int access) {
        return of(domain, direct, access, true);
    }

    private static RdmaMemoryRegion of(RdmaDomain domain, ByteBuffer direct, int access, boolean adopted) {
        ByteBuffer whole = direct.duplicate().clear();
        RdmaMemoryRegion region = new RdmaMemoryRegion(domain, null, whole, null, adopted, 0, Native.addressOf(whole),
                whole.capacity(), Access.check(access));
        hold(domain.context(), region);
        return region;
    }

    /** Keeps the buffer from the collector until the region is closed, or the device is. */
    private static void hold(RdmaContext context, RdmaMemoryRegion region) {
        Set<RdmaMemoryRegion> fresh = ConcurrentHashMap.newKeySet();
        Set<RdmaMemoryRegion> held = GIVEN.putIfAbsent(context, fresh);
        if (held == null) {
            context.onClose(() -> GIVEN.remove(context));
        }
        (held == null ? fresh : held).add(region);
    }

    RdmaMemoryRegion share(RdmaDomain with, long from, long bytes, int rights) {
        if (from < 0 || bytes < 1 || from + bytes > length) {
            throw new IndexOutOfBoundsException("offset=" + from + " length=" + bytes + " region length=" + length);
        }
        if ((Access.check(rights) & ~access) != 0) {
            throw new IllegalArgumentException("access=0x" + Integer.toHexString(rights)
                    + " is more than the region's 0x" + Integer.toHexString(access));
        }
        return new RdmaMemoryRegion(with, null, null, this, adopted, from, address + from, bytes, rights);
    }

    /** Returns true when a processor that touches it may find that it was cut. */
    boolean isAdopted() {
        return adopted;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int lkey() {
        return lkey;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    @Override
    public int access() {
        return access;
    }

    @Override
    public ByteBuffer buffer(long from, int bytes) {
        if (from < 0 || bytes < 0 || from + bytes > length) {
            throw new IndexOutOfBoundsException("offset=" + from + " length=" + bytes + " region length=" + length);
        }
        ByteBuffer view = other != null ? other.buffer(offset + from, bytes)
                : own != null ? own.buffer(from, bytes) : given.slice((int) from, bytes);
        return view.order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            domain.deregister(this, mr);
            if (own != null) {
                own.drop();
            }
            Set<RdmaMemoryRegion> held = given == null ? null : GIVEN.get(domain.context());
            if (held != null) {
                held.remove(this);
            }
        }
    }
}
