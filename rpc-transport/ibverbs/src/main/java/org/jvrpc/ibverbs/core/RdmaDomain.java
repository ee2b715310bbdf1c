package org.jvrpc.ibverbs.core;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jvrpc.ibverbs.binding.Layouts.Pd;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.Chains;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/** A protection domain of a real device. Any thread. */
public final class RdmaDomain implements ProtectionDomain {

    private static final int MOST_ADOPTED = 1 << 30;

    private final RdmaContext context;
    private final Driver driver;
    private final long pd;
    private final LkeyTable keys = new LkeyTable();
    private int children;
    private boolean closed;

    private RdmaDomain(RdmaContext context, Driver driver) {
        this.context = context;
        this.driver = driver;
        this.pd = context.lib().ibv_alloc_pd(context.address());
        if (pd == 0) {
            throw NativeException.last("alloc_pd", "device=" + context.name());
        }
    }

    /** Makes one. @throws VerbsException when the device has no more, or is closed */
    public static RdmaDomain allocate(RdmaContext context, Driver driver) {
        return context.whileOpen("alloc_pd", () -> new RdmaDomain(context, driver));
    }

    /** Returns the address of the {@code struct ibv_pd}. */
    public long address() {
        return pd;
    }

    /** Returns the kernel's handle of the domain. */
    public int handle() {
        return Native.intAt(pd + Pd.HANDLE);
    }

    /** Returns the device. */
    public RdmaContext context() {
        return context;
    }

    /** Returns the memory behind the domain's lkeys, for inline data. */
    public LkeyTable keys() {
        return keys;
    }

    long register(long address, long length, int access) {
        adopt();
        long mr = 0;
        int errno = 0;
        try {
            mr = context.lib().ibv_reg_mr(pd, address, length, access);
            errno = Libraries.errno();
        } finally {
            if (mr == 0) {
                abandon();
            }
        }
        if (mr == 0) {
            throw NativeException.of("reg_mr", errno, "length=" + length + " access=0x" + Integer.toHexString(access),
                    advice(errno, address));
        }
        return mr;
    }

    private static String advice(int errno, long address) {
        return switch (errno) {
            case Errno.ENOMEM, Errno.EAGAIN, Errno.EPERM -> "locked memory is limited to " + MemlockLimit.describe()
                    + ": raise it (ulimit -l, /etc/security/limits.d, LimitMEMLOCK= of systemd,"
                    + " --ulimit memlock=-1 of containers)";
            case Errno.EFAULT, Errno.EOPNOTSUPP -> "address=0x" + Long.toHexString(address) + ": a file that is mapped"
                    + " must be as long as that, on a file system with room, and whose pages can be pinned (tmpfs)";
            default -> "address=0x" + Long.toHexString(address);
        };
    }

    void deregister(RdmaMemoryRegion region, long mr) {
        keys.remove(region);
        context.whileOpen(() -> context.lib().ibv_dereg_mr(mr));
        abandon();
    }

    /** Counts a child that must be closed before the domain. @throws VerbsException when the domain is closed */
    public synchronized void adopt() {
        if (closed) {
            throw new VerbsException("alloc_pd", "protection domain is closed, device=" + context.name());
        }
        children++;
    }

    /** Ends what {@link #adopt()} began. */
    public synchronized void abandon() {
        children--;
    }

    private MemoryRegion region(Supplier<RdmaMemoryRegion> register) {
        RdmaMemoryRegion region = context.whileOpen("reg_mr", register);
        keys.add(region);
        return region;
    }

    @Override
    public MemoryRegion allocate(long length, int access) {
        return region(() -> RdmaMemoryRegion.allocate(this, length, access));
    }

    @Override
    public MemoryRegion register(ByteBuffer direct, int access) {
        return region(() -> RdmaMemoryRegion.of(this, direct, access));
    }

    @Override
    public MemoryRegion adopt(ByteBuffer direct, int access) {
        if (!direct.isDirect() || direct.isReadOnly() || direct.capacity() < 1 || direct.capacity() > MOST_ADOPTED
                || (Access.check(access) & Access.REMOTE_ATOMIC) != 0) {
            throw new IllegalArgumentException("only direct, writable memory of 1 to " + MOST_ADOPTED + " bytes is"
                    + " adopted, not for atomics: direct=" + direct.isDirect() + " readOnly=" + direct.isReadOnly()
                    + " bytes=" + direct.capacity() + " access=" + access);
        }
        return region(() -> RdmaMemoryRegion.adopt(this, direct, access));
    }

    @Override
    public boolean pinsMemory() {
        return true;
    }

    @Override
    public MemoryRegion share(MemoryRegion region, long offset, long length, int access) {
        if (!(region instanceof RdmaMemoryRegion other)) {
            throw new VerbsException("reg_mr", "not a region of an RDMA device: " + region.getClass().getName());
        }
        return region(() -> other.share(this, offset, length, access));
    }

    @Override
    public QueuePair createQp(QueuePairAttributes attributes) {
        if (attributes.isCrossChannel() && !driver.name().equals("mlx5")) {
            throw new VerbsException("create_qp", "device " + context.name() + " has no cross-channel QPs");
        }
        return context.whileOpen("create_qp", () -> driver.createQp(this, attributes));
    }

    /** Refuses: what a card runs nobody here can count, limit or cut off, so that it hosts no lookups of clients. */
    @Override
    public Chains chains() {
        throw new VerbsException("chains", "device " + context.name() + " hosts no lookups: the chains that a card runs"
                + " cannot be counted, limited in their rate or cut off; a device at shm:// hosts them");
    }

    @Override
    public SharedReceiveQueue createSrq(SharedReceiveQueueAttributes attributes) {
        return context.whileOpen("create_srq", () -> driver.createSrq(this, attributes));
    }

    @Override
    public AddressHandle createAh(byte[] remoteEndpoint) {
        return createAh(remoteEndpoint, 0);
    }

    @Override
    public AddressHandle createAh(byte[] remoteEndpoint, int flowLabel) {
        return createAh(remoteEndpoint, flowLabel, ServiceClass.DEFAULT);
    }

    @Override
    public AddressHandle createAh(byte[] remoteEndpoint, int flowLabel, ServiceClass service) {
        if (flowLabel < 0 || flowLabel > 0xfffff) {
            throw new IllegalArgumentException("flowLabel must be 0 to 1048575, flowLabel=" + flowLabel);
        }
        if (flowLabel != 0 && context.isRxe()) {
            throw new VerbsException("create_ah", "device " + context.name() + " chooses no path by flow label:"
                    + " rdma_rxe takes the UDP source port from the QP's number");
        }
        RdmaEndpoint remote = RdmaEndpoint.decode(remoteEndpoint);
        return context.whileOpen("create_ah", () -> driver.createAh(this, remote, flowLabel, service));
    }

    @Override
    public void close() {
        context.whileOpen(this::end);
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        if (children > 0) {
            throw new VerbsException("dealloc_pd", "domain is in use: children=" + children);
        }
        closed = true;
        driver.closing(this);
        context.lib().ibv_dealloc_pd(pd);
    }
}
