package org.jvrpc.verbs.contract;

import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;

/** One side of a test: a device and a PD. What it makes is closed with the rig, last made first. */
final class Side {

    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

    final Rig rig;
    final String name;
    final Device device;
    final ProtectionDomain pd;

    Side(Rig rig, String name, Device device) {
        this.rig = rig;
        this.name = name;
        this.device = device;
        this.pd = rig.keep(device.allocatePd());
    }

    MemoryRegion memory(long length, int access) {
        return rig.keep(pd.allocate(length, access));
    }

    MemoryRegion memory(long length) {
        return memory(length, ALL);
    }

    CompletionQueue cq(CompletionQueueAttributes attributes) {
        return rig.keep(device.createCq(attributes));
    }

    CompletionQueue cq(int depth) {
        return cq(CompletionQueueAttributes.ofDepth(depth));
    }

    Probe probe(CompletionQueue cq, String what) {
        return rig.watch(new Probe(cq, name + " " + what));
    }

    EventChannel channel() {
        return rig.keep(device.createChannel());
    }

    ProtectionDomain otherPd() {
        return rig.keep(device.allocatePd());
    }

    /** Makes a QP in RESET with two CQs of its own. */
    End end(Setup setup) {
        Probe sends = probe(cq(setup.cqAttributes()), "send CQ");
        Probe receives = probe(cq(setup.cqAttributes()), "receive CQ");
        return end(setup, sends, receives);
    }

    /** Makes a QP in RESET on CQs that exist. */
    End end(Setup setup, Probe sends, Probe receives) {
        QueuePair qp = rig.keep(pd.createQp(setup.attributes(sends.cq(), receives.cq())));
        return new End(this, qp, sends, receives, memory(setup.memory));
    }
}
