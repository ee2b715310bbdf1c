package org.jvrpc.softrnic;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A software RNIC of this process. Any thread. */
final class SoftDevice implements Device {

    private static final Logger LOG = LoggerFactory.getLogger(SoftDevice.class);
    private static final int FIRST_QPN = 0x11;
    private static final int QPN_MASK = 0x7fffff;
    /** Devices of this process: their CQs are woken without a socket. */
    private static final Map<String, SoftDevice> LOCAL = new ConcurrentHashMap<>();

    private volatile Home home;
    private final DatagramRoutes routes = new DatagramRoutes();
    private final LongSupplier clock;
    /** Numbers of QPs that live, and the one to try next. */
    private final Set<Integer> qpns = new HashSet<>();
    private int nextQpn = FIRST_QPN;
    /** QPs by the addresses of their contexts. */
    private final Map<Long, SoftQueuePair> qps = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger(1);
    private final Map<CompletionQueue, SoftCompletionQueue> cqs = new ConcurrentHashMap<>();
    private final Map<SharedReceiveQueue, SoftSharedReceiveQueue> srqs = new ConcurrentHashMap<>();
    private final Map<Long, ChainGroup> chains = new ConcurrentHashMap<>();
    private final List<SoftProtectionDomain> domains = new ArrayList<>();
    private final List<AutoCloseable> ports = new ArrayList<>();
    private volatile boolean closed;

    private SoftDevice(Home home, LongSupplier clock) {
        this.home = home;
        this.clock = clock;
    }

    /** Opens a device, after sweeping away what dead ones left. */
    static SoftDevice open(LongSupplier clock) {
        Path parent = ShmDirectory.open();
        ShmDirectory.sweep(parent);
        SoftDevice device = new SoftDevice(Home.make(parent, 0), clock);
        LOCAL.put(device.name(), device);
        return device;
    }

    /**
     * Moves to a new folder when its own was deleted, as logind does with what is in /dev/shm when a user logs out.
     * Whoever is connected cannot be reached by its name any more: its connection ends, and it connects again.
     */
    void settleAgain() {
        if (home.exists()) {
            return;
        }
        Home old;
        synchronized (this) {
            old = home;
            if (closed || old.exists()) {
                return;
            }
            LOG.warn("folder of the device was deleted: {}; connections end, another folder is made", old.folder());
            qps.values().forEach(SoftQueuePair::error);
            Home fresh = Home.make(ShmDirectory.open(old.folder().getParent()), old.arena().nextSegment());
            LOCAL.put(fresh.name(), this);
            home = fresh;
        }
        old.leave();
        LOCAL.remove(old.name());
        old.shared().disown();
    }

    /** Returns the device of this process with a name, or null. */
    static SoftDevice ofName(String name) {
        return LOCAL.get(name);
    }

    @Override
    public String name() {
        return home.name();
    }

    @Override
    public int maxDatagramBytes() {
        return DatagramEngine.MAX_DATAGRAM;
    }

    Path folder() {
        return home.folder();
    }

    Arena arena() {
        return home.arena();
    }

    RegionTable regions() {
        return home.regions();
    }

    DatagramTable datagrams() {
        return home.datagrams();
    }

    DatagramRoutes routes() {
        return routes;
    }

    /** Returns a group of chains of a device of this process, or null. */
    static ChainGroup chainsOf(String name, long address) {
        SoftDevice device = LOCAL.get(name);
        return device == null ? null : device.chains.get(address);
    }

    void forget(ChainGroup group) {
        chains.remove(group.address());
    }

    synchronized void forget(SoftProtectionDomain domain) {
        domains.remove(domain);
    }

    /** Returns how many domains there are. */
    synchronized int domains() {
        return domains.size();
    }

    /** Returns how many groups of chains there are. */
    int groups() {
        return chains.size();
    }

    /** Makes a group known to QPs of this process that set it going. */
    void know(ChainGroup group) {
        chains.put(group.address(), group);
    }

    /** Returns the memory of a device of this host. @throws VerbsException when the name is none */
    AddressSpace arenaOf(String name) {
        if (!ShmDirectory.isDeviceName(name)) {
            throw new VerbsException("modify_qp", "endpoint names no device, name=" + name);
        }
        return new RemoteArena(DeviceFolder.use("modify_qp", folder().resolveSibling(name)));
    }

    LongSupplier clock() {
        return clock;
    }

    /** Returns a number that no QP of this device has. */
    synchronized int claimQpn() {
        for (int n = 0; n < QPN_MASK; n++) {
            int number = nextQpn;
            nextQpn = number == QPN_MASK ? FIRST_QPN : number + 1;
            if (qpns.add(number)) {
                return number;
            }
        }
        throw new VerbsException("create_qp", "all numbers of QPs are in use, device=" + name());
    }

    synchronized void releaseQpn(int number) {
        qpns.remove(number);
    }

    /** Returns true once the device ends what its users did not: their threads may still be at work with it. */
    boolean isClosing() {
        return closed;
    }

    void know(SoftQueuePair qp) {
        qps.put(qp.address(), qp);
    }

    void forget(SoftQueuePair qp) {
        qps.remove(qp.address(), qp);
    }

    /** Returns the QP of a device of this process whose context lies at an address, or null. */
    static SoftQueuePair qpOf(String name, long address) {
        SoftDevice device = LOCAL.get(name);
        return device == null ? null : device.qps.get(address);
    }

    SoftCompletionQueue own(CompletionQueue cq) {
        SoftCompletionQueue own = cqs.get(cq);
        if (own == null) {
            throw new VerbsException("create_qp", "completion queue is closed or of another device, number="
                    + cq.number());
        }
        return own;
    }

    /** Returns the device's side of an SRQ; null for null. */
    SoftSharedReceiveQueue own(SharedReceiveQueue srq) {
        SoftSharedReceiveQueue own = srq == null ? null : srqs.get(srq);
        if (srq != null && own == null) {
            throw new VerbsException("create_qp", "shared receive queue is closed or of another device, number="
                    + srq.number());
        }
        return own;
    }

    SoftSharedReceiveQueue createSrq(SoftProtectionDomain domain, SharedReceiveQueueAttributes attributes) {
        SoftSharedReceiveQueue srq =
                new SoftSharedReceiveQueue(this, domain, numbers.getAndIncrement(), attributes);
        srqs.put(srq.driver(), srq);
        return srq;
    }

    void remove(SoftSharedReceiveQueue srq) {
        srqs.remove(srq.driver());
    }

    /** Wakes everybody who waits for a CQ of this device. */
    void wakeAll() {
        cqs.values().forEach(SoftCompletionQueue::wake);
    }

    void remove(SoftCompletionQueue cq) {
        cqs.remove(cq.driver());
    }

    private synchronized void checkOpen() {
        if (closed) {
            throw new VerbsException("device", "device is closed, name=" + name());
        }
    }

    @Override
    public ProtectionDomain allocatePd() {
        checkOpen();
        SoftProtectionDomain domain = new SoftProtectionDomain(this, numbers.getAndIncrement());
        synchronized (this) {
            domains.add(domain);
        }
        return domain;
    }

    @Override
    public MemoryRegion attach(byte[] exported) {
        checkOpen();
        return keep(AttachedRegion.open(this, folder().getParent(), ExportedRegion.decode(exported)));
    }

    @Override
    public CompletionQueue createCq(CompletionQueueAttributes attributes) {
        checkOpen();
        settleAgain(); // a CQ is what a connection is begun with
        SoftCompletionQueue cq = new SoftCompletionQueue(this, numbers.getAndIncrement(), attributes);
        cqs.put(cq.driver(), cq);
        return cq.driver();
    }

    @Override
    public EventChannel createChannel() {
        checkOpen();
        return keep(new ShmChannel());
    }

    synchronized <P extends AutoCloseable> P keep(P port) {
        ports.add(port);
        return port;
    }

    synchronized void forget(AutoCloseable port) {
        ports.remove(port);
    }

    @Override
    public Listener listen(String address, EventChannel channel) {
        checkOpen();
        return keep(ShmListener.open(this, ShmAddress.parse(address), (ShmChannel) channel));
    }

    @Override
    public Connection connect(
            String address, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs) {
        checkOpen();
        SoftQueuePair control = ShmConnection.controlOf(qp);
        return keep(ShmConnector.connect(
                this, ShmAddress.parse(address), control, privateData, (ShmChannel) channel, timeoutNs));
    }

    Connection adopt(ShmConnection connection) {
        return keep(connection);
    }

    @Override
    public void close() {
        List<AutoCloseable> children;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            children = new ArrayList<>(ports);
            java.util.Collections.reverse(children);
        }
        home.leave(); // what is not given back now is in use, perhaps
        for (AutoCloseable child : children) {
            try {
                child.close();
            } catch (Exception e) {
                LOG.warn("closing {}: {}", child, e.toString());
            }
        }
        List.copyOf(domains).forEach(SoftProtectionDomain::closeQps);
        List.copyOf(domains).forEach(SoftProtectionDomain::closeAll);
        new ArrayList<>(cqs.keySet()).forEach(CompletionQueue::close);
        LOCAL.remove(name());
        home.shared().disown();
    }
}
