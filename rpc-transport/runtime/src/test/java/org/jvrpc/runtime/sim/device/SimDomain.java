package org.jvrpc.runtime.sim.device;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;

/** A protection domain of a simulated device. */
final class SimDomain implements ProtectionDomain {

    private final SimDevice device;
    private final Map<Integer, SimMemory> regions = new HashMap<>();
    private int queuePairs;
    private boolean closed;

    SimDomain(SimDevice device) {
        this.device = device;
    }

    @Override
    public MemoryRegion allocate(long length, int access) {
        if (closed) {
            throw new VerbsException("reg_mr", "domain is closed");
        }
        World world = device.process().world();
        Network network = Network.of(world);
        if (network.refusesMemory()) {
            world.trace(device.process().name() + " no memory " + length);
            throw new VerbsException("reg_mr", "no memory: bytes=" + length);
        }
        int key = network.newKey();
        SimMemory region = new SimMemory(
                this, key, network.newAddress(length), Math.toIntExact(length), access, network.pages());
        regions.put(key, region);
        device.made(region);
        return region;
    }

    void freed(SimMemory region) {
        regions.remove(region.lkey());
        device.gone(region);
    }

    /** Returns the bytes that a key opens to QPs of this domain, or null. */
    ByteBuffer reach(int key, long address, int length, int right) {
        SimMemory region = regions.get(key);
        return region == null ? null : region.reach(this, address, length, right);
    }

    @Override
    public MemoryRegion register(ByteBuffer direct, int access) {
        throw new VerbsException("reg_mr", "a simulated device registers no memory of others");
    }

    @Override
    public QueuePair createQp(QueuePairAttributes attributes) {
        SimQueuePair qp = new SimQueuePair(device, this, attributes);
        queuePairs++;
        device.made(qp);
        return qp;
    }

    void gone(SimQueuePair qp) {
        queuePairs--;
        device.gone(qp);
    }

    @Override
    public void close() {
        if (!closed) {
            if (queuePairs > 0 || !regions.isEmpty()) {
                throw new VerbsException("dealloc_pd", "in use: qps=" + queuePairs + " regions=" + regions.size());
            }
            closed = true;
            device.gone(this);
        }
    }

    @Override
    public String toString() {
        return "domain";
    }
}
