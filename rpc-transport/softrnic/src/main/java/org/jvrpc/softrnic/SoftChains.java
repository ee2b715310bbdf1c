package org.jvrpc.softrnic;

import java.util.List;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.Chains;

/** The group of one protection domain, as its owner has it. Any thread. */
final class SoftChains implements Chains {

    /**
     * System property, read whenever a domain gets its chains: true has its managed queues fetch all that an ENABLE
     * allows at once, as a card may, for tests of programs.
     */
    static final String PREFETCH_MANAGED = "jvrpc.softrnic.prefetchManaged";

    private final SoftDevice device;
    private final Arena.Block block;
    private final ChainGroup group;

    SoftChains(SoftDevice device, int pd) {
        this.device = device;
        this.block = device.arena().allocate(GroupContext.BYTES);
        GroupContext.write(block.slab().window(block.address()), Slab.index(block.address()), pd);
        this.group = new ChainGroup(device.node(), device.arena(), device.name(), block.address());
        group.alias(device.ports().keyOfRemote());
        group.prefetchManaged(Boolean.getBoolean(PREFETCH_MANAGED));
        device.node().add(group);
    }

    ChainGroup group() {
        return group;
    }

    @Override
    public void limitRate(long wqesPerSecond, int burst) {
        if (wqesPerSecond < 1 || burst < 1) {
            throw new IllegalArgumentException("wqesPerSecond=" + wqesPerSecond + " burst=" + burst
                    + " must be at least 1");
        }
        group.limitRate(wqesPerSecond, burst);
    }

    @Override
    public long executed() {
        return group.executed();
    }

    @Override
    public void cutOff() {
        group.cutOff();
    }

    @Override
    public boolean isCutOff() {
        return group.isCutOff();
    }

    @Override
    public boolean prefetches() {
        return group.prefetchesManaged();
    }

    @Override
    public void trace(ChainTracer tracer) {
        group.trace(tracer);
    }

    /** Gives the context back, when no QP is left. */
    void free(Quarantine quarantine) {
        device.node().remove(group);
        group.close();
        Quarantine.free(block, List.of(quarantine));
    }
}
