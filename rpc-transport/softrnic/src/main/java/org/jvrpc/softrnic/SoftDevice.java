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
import org.jvrpc.mlx5.LocalMemory;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.shm.AttachedRegion;
import org.jvrpc.softrnic.shm.ShmChannel;
import org.jvrpc.softrnic.shm.ShmNode;
import org.jvrpc.softrnic.shm.folder.ExportedRegion;
import org.jvrpc.softrnic.shm.folder.Place;
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

/** A software RNIC of this process. Any thread. */
final class SoftDevice implements Device {

    private static final int FIRST_QPN = 0x11;
    private static final int QPN_MASK = 0x7fffff;

    private final PortFactory ports;
    /** Numbers of QPs that live, and the one to try next. */
    private final Set<Integer> qpns = new HashSet<>();
    private int nextQpn = FIRST_QPN;
    private final AtomicInteger numbers = new AtomicInteger(1);
    private final Map<CompletionQueue, SoftCompletionQueue> cqs = new ConcurrentHashMap<>();
    private final Map<SharedReceiveQueue, SoftSharedReceiveQueue> srqs = new ConcurrentHashMap<>();
    private final List<SoftProtectionDomain> domains = new ArrayList<>();
    private final ShmNode node;

    private SoftDevice(LongSupplier clock, PortFactory ports) {
        this.ports = ports;
        Place place = ports.place();
        this.node = place == null ? ShmNode.open(clock, this::wakeAll) : ShmNode.open(clock, this::wakeAll, place);
    }

    /** Opens a device. @param clock monotonic, in nanoseconds */
    static SoftDevice open(LongSupplier clock) {
        return open(clock, new ShmPorts());
    }

    /** Opens a device whose QPs have ports of another kind. */
    static SoftDevice open(LongSupplier clock, PortFactory ports) {
        SoftDevice device = new SoftDevice(clock, ports);
        try {
            ports.begin(device);
            return device;
        } catch (RuntimeException | Error e) {
            device.close();
            throw e;
        }
    }

    /** Returns the device as others on the host find it. */
    ShmNode node() {
        return node;
    }

    PortFactory ports() {
        return ports;
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public int maxRequestBytes() {
        return ports.maxRequestBytes();
    }

    @Override
    public int maxAnswerBytes() {
        return ports.maxAnswerBytes();
    }

    @Override
    public long longestSendNs() {
        return ports.longestSendNs();
    }

    @Override
    public int maxDatagramBytes() {
        return ports.maxDatagramBytes(this);
    }

    @Override
    public boolean isPrivate() {
        return ports.isPrivate();
    }

    @Override
    public Map<String, Long> counters() {
        return ports.counters(this);
    }

    Path folder() {
        return node.folder();
    }

    Arena arena() {
        return node.arena();
    }

    RegionTable regions() {
        return node.regions();
    }

    /** Returns the memory of one domain, for its drivers. */
    LocalMemory memory(int pd) {
        return ports.copiesUserMemory() ? regions().staged(pd) : regions().of(pd);
    }

    synchronized void forget(SoftProtectionDomain domain) {
        domains.remove(domain);
    }

    /** Returns how many domains there are. */
    synchronized int domains() {
        return domains.size();
    }

    /** Returns a number that no QP of this device has. */
    int claimQpn() {
        int chosen = ports.claimQpn();
        return chosen >= 0 ? chosen : nextQpn();
    }

    private synchronized int nextQpn() {
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
        if (!qpns.remove(number)) {
            ports.releaseQpn(number);
        }
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

    private void checkOpen() {
        if (node.isClosing()) {
            throw new VerbsException("device", "device is closed, name=" + name());
        }
    }

    @Override
    public synchronized ProtectionDomain allocatePd() {
        checkOpen();
        SoftProtectionDomain domain = new SoftProtectionDomain(this, numbers.getAndIncrement());
        domains.add(domain);
        return domain;
    }

    @Override
    public MemoryRegion attach(byte[] exported) {
        checkOpen();
        return node.keep(AttachedRegion.open(node, ExportedRegion.decode(exported)));
    }

    @Override
    public CompletionQueue createCq(CompletionQueueAttributes attributes) {
        node.settleAgain(); // a CQ is what a connection is begun with
        return makeCq(attributes);
    }

    private synchronized CompletionQueue makeCq(CompletionQueueAttributes attributes) {
        checkOpen();
        SoftCompletionQueue cq = new SoftCompletionQueue(this, numbers.getAndIncrement(), attributes);
        cqs.put(cq.driver(), cq);
        return cq.driver();
    }

    @Override
    public EventChannel createChannel() {
        return node.keep(new ShmChannel(node.clock(), node::forget));
    }

    @Override
    public Listener listen(String address, EventChannel channel) {
        checkOpen();
        return ports.listen(this, address, channel);
    }

    @Override
    public Connection connect(
            String address, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs) {
        return connect(address, qp, privateData, channel, timeoutNs, () -> { });
    }

    @Override
    public Connection connect(
            String address,
            QueuePair qp,
            byte[] privateData,
            EventChannel channel,
            long timeoutNs,
            Runnable meanwhile) {
        checkOpen();
        return ports.connect(this, address, qp, privateData, channel, timeoutNs, meanwhile);
    }

    @Override
    public void close() {
        if (!node.leave()) {
            return;
        }
        List<SoftProtectionDomain> left;
        synchronized (this) { // from now on none is made
            left = List.copyOf(domains);
        }
        left.forEach(SoftProtectionDomain::closeQps);
        left.forEach(SoftProtectionDomain::closeLateQps);
        left.forEach(SoftProtectionDomain::closeAll);
        new ArrayList<>(cqs.keySet()).forEach(CompletionQueue::close);
        ports.close();
        node.end();
    }
}
