package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.Slab;
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

/** A protection domain of the software RNIC. Any thread. */
final class SoftProtectionDomain implements ProtectionDomain {

    private final SoftDevice device;
    private final int number;
    private final Set<SoftMemoryRegion> regions = new HashSet<>();
    private final Set<Mlx5QueuePair> qps = new HashSet<>();
    /** SRQs and address handles. */
    private final Set<AutoCloseable> others = new HashSet<>();
    private final Quarantine quarantine = new Quarantine();
    /** One of the two, once they are asked for. */
    private SoftChains chains;
    private Chains chainsElsewhere;
    private boolean closed;
    /** What is being made, for which somebody else may be waited for. */
    private int making;

    SoftProtectionDomain(SoftDevice device, int number) {
        this.device = device;
        this.number = number;
    }

    int number() {
        return number;
    }

    @Override
    public MemoryRegion allocate(long length, int access) {
        if (length < 1) {
            throw new IllegalArgumentException("length must be at least 1, length=" + length);
        }
        Access.check(access);
        beginMaking();
        try {
            return allocateNow(length, access);
        } finally {
            endMaking();
        }
    }

    private MemoryRegion allocateNow(long length, int access) {
        Arena.Block block = device.arena().allocate(length);
        try {
            return publish(new SoftMemoryRegion(
                    this, device.regions(), access, block.slab(), block.address(), length, block, true));
        } catch (RuntimeException e) {
            block.free();
            throw e;
        }
    }

    @Override
    public MemoryRegion register(ByteBuffer direct, int access) {
        if (!direct.isDirect() || direct.isReadOnly() || (access & ~Access.LOCAL_WRITE) != 0) {
            throw new IllegalArgumentException("only direct, writable memory can be registered, for LOCAL_WRITE or 0:"
                    + " direct=" + direct.isDirect() + " readOnly=" + direct.isReadOnly() + " access=" + access);
        }
        beginMaking();
        try {
            if (device.ports().copiesUserMemory() && direct.hasRemaining()) {
                return registerStaged(direct, access);
            }
            Slab slab = Slab.wrap(direct, device.arena().claimSegment());
            return publish(new SoftMemoryRegion(
                    this, device.regions(), access, slab, slab.base(), slab.length(), null, false));
        } finally {
            endMaking();
        }
    }

    @Override
    public MemoryRegion adopt(ByteBuffer direct, int access) {
        if (!direct.isDirect() || direct.isReadOnly() || direct.capacity() < 1 || direct.capacity() > Slab.WINDOW
                || (Access.check(access) & Access.REMOTE_ATOMIC) != 0) {
            throw new IllegalArgumentException("only direct, writable memory of 1 to " + Slab.WINDOW + " bytes is"
                    + " adopted, not for atomics: direct=" + direct.isDirect() + " readOnly=" + direct.isReadOnly()
                    + " bytes=" + direct.capacity() + " access=" + access);
        }
        if (!device.ports().adopts()) {
            throw new VerbsException("reg_mr", "device adopts no memory, name=" + device.name());
        }
        beginMaking();
        try {
            Slab slab = Slab.adopt(direct, device.arena().claimSegment());
            return publish(new SoftMemoryRegion(
                    this, device.regions(), access, slab, slab.base(), slab.length(), null, false));
        } finally {
            endMaking();
        }
    }

    /** Registers memory that the device reaches by copies, to and from a slab that has the same addresses. */
    private MemoryRegion registerStaged(ByteBuffer direct, int access) {
        Arena.Block block = device.arena().allocateAlone(direct.remaining());
        try {
            Slab slab = Slab.wrap(direct, Slab.segmentOf(block.address()));
            return publish(SoftMemoryRegion.staged(this, access, slab, slab.base(), slab.length(), block.slab(),
                    block));
        } catch (RuntimeException e) {
            block.free();
            throw e;
        }
    }

    @Override
    public MemoryRegion share(MemoryRegion region, long offset, long length, int access) {
        if (!(region instanceof SoftMemoryRegion other) || !other.isOf(device)) {
            throw new VerbsException("reg_mr", "region is of another device: " + region);
        }
        if ((Access.check(access) & ~region.access()) != 0) {
            throw new IllegalArgumentException("access=" + access + " is more than the region has, access="
                    + region.access());
        }
        Objects.checkFromIndexSize(offset, length, region.length());
        other.share(quarantine);
        if (other.local().staging() != null) {
            return publish(SoftMemoryRegion.staged(this, access, other.local().slab(), region.address() + offset,
                    length, other.local().staging(), null));
        }
        return register(
                other.local().slab(), region.address() + offset, length, access, other.local().isShared());
    }

    /** Registers memory of this device that somebody else frees. */
    MemoryRegion register(Slab slab, long address, long length, int access, boolean shared) {
        Access.check(access);
        checkOpen();
        return publish(new SoftMemoryRegion(
                this, device.regions(), access, slab, address, length, null, shared));
    }

    Quarantine quarantine() {
        return quarantine;
    }

    /** Returns true when a peer's thread may be about to write to a region whose key is dead. */
    synchronized boolean mayBeWritten(SoftMemoryRegion region, Arena.Block block) {
        if ((region.access() & (Access.REMOTE_WRITE | Access.REMOTE_ATOMIC)) != 0 || quarantine.isNeeded(block)) {
            return true;
        }
        for (AutoCloseable other : others) {
            if (other instanceof SharedReceiveQueue) {
                return true;
            }
        }
        for (Mlx5QueuePair qp : qps) {
            if (((SoftQueuePair) qp.control()).mayReceiveInto(region.lkey())) {
                return true;
            }
        }
        return false;
    }

    SoftDevice device() {
        return device;
    }

    @Override
    public synchronized Chains chains() {
        checkOpen();
        if (chains == null && chainsElsewhere == null) {
            chainsElsewhere = device.ports().chains(number);
            chains = chainsElsewhere == null ? new SoftChains(device, number) : null;
        }
        return chains == null ? chainsElsewhere : chains;
    }

    /** Returns the group that runs chains of this domain in this process; null where somebody else does. */
    synchronized ChainGroup group() {
        chains();
        return chains == null ? null : chains.group();
    }

    private synchronized MemoryRegion publish(SoftMemoryRegion region) {
        try {
            checkOpen();
        } catch (VerbsException e) {
            region.table().retract(region.local());
            device.ports().gone(region.local());
            throw e;
        }
        region.table().publish(region.local());
        regions.add(region);
        return region;
    }

    synchronized void remove(SoftMemoryRegion region) {
        region.table().retract(region.local());
        regions.remove(region);
    }

    @Override
    public QueuePair createQp(QueuePairAttributes attributes) {
        beginMaking();
        try {
            Mlx5QueuePair qp = SoftQueuePair.create(device, this, attributes);
            synchronized (this) {
                qps.add(qp);
            }
            return qp;
        } finally {
            endMaking();
        }
    }

    /** Has the domain's end wait for what is made now, until {@link #endMaking}. */
    private synchronized void beginMaking() {
        checkOpen();
        making++;
    }

    private synchronized void endMaking() {
        making--;
        notifyAll();
    }

    /** Waits until all that was begun is made, or was refused: each within the time of a command. */
    private synchronized void awaitMade() {
        boolean interrupted = false;
        while (making > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void remove(Mlx5QueuePair qp) {
        qps.remove(qp);
    }

    @Override
    public SharedReceiveQueue createSrq(SharedReceiveQueueAttributes attributes) {
        beginMaking();
        try {
            return keep(device.createSrq(this, attributes).driver());
        } finally {
            endMaking();
        }
    }

    @Override
    public AddressHandle createAh(byte[] remoteEndpoint) {
        return createAh(remoteEndpoint, 0, ServiceClass.DEFAULT);
    }

    @Override
    public AddressHandle createAh(byte[] remoteEndpoint, int flowLabel, ServiceClass service) {
        if (flowLabel != 0) {
            return createAh(remoteEndpoint, flowLabel); // which is refused
        }
        checkOpen();
        Route route = device.ports().openRoute(device, number, remoteEndpoint, service.trafficClass());
        return keep(new SoftAddressHandle(this, route, service).driver());
    }

    private synchronized <T extends AutoCloseable> T keep(T child) {
        others.add(child);
        return child;
    }

    /** Forgets an SRQ or an address handle. */
    synchronized void remove(AutoCloseable other) {
        others.remove(other);
    }

    private synchronized void checkOpen() {
        if (closed) {
            throw new VerbsException("pd", "protection domain is closed, number=" + number);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (!regions.isEmpty() || !qps.isEmpty() || !others.isEmpty() || making > 0) {
                throw new VerbsException("dealloc_pd", "number=" + number + " is used by regions=" + regions.size()
                        + " qps=" + qps.size() + " srqs and address handles=" + others.size() + " being made="
                        + making);
            }
            closed = true;
            endChains();
        }
        device.forget(this);
    }

    private void endChains() {
        if (chains != null) {
            chains.free(quarantine);
            chains = null;
        }
        if (chainsElsewhere != null) {
            device.ports().goneChains(number);
            chainsElsewhere = null;
        }
    }

    /** Ends the QPs, which may use SRQs of other domains. */
    void closeQps() {
        ArrayList<Mlx5QueuePair> children;
        synchronized (this) {
            closed = true;
            children = new ArrayList<>(qps);
        }
        children.forEach(Mlx5QueuePair::close);
    }

    /** Ends the QPs that were just being made when the domain was closed, too. */
    void closeLateQps() {
        awaitMade();
        closeQps();
    }

    /** Ends everything that was made by this domain. */
    void closeAll() {
        ArrayList<AutoCloseable> children;
        ArrayList<SoftMemoryRegion> memory;
        synchronized (this) {
            children = new ArrayList<>(others);
            memory = new ArrayList<>(regions);
        }
        for (AutoCloseable child : children) {
            if (child instanceof SharedReceiveQueue srq) {
                srq.close();
            } else {
                ((AddressHandle) child).close();
            }
        }
        memory.forEach(SoftMemoryRegion::close);
        synchronized (this) {
            endChains(); // lets go of the memory of other devices
        }
    }
}
