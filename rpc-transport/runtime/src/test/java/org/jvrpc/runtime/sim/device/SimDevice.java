package org.jvrpc.runtime.sim.device;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;

/** A device of a simulated process. */
final class SimDevice implements Device, SimProcess.Belonging {

    private final SimProcess process;
    private final Set<Object> made = new LinkedHashSet<>();
    private boolean closed;

    SimDevice(SimProcess process) {
        this.process = process;
    }

    SimProcess process() {
        return process;
    }

    void made(Object what) {
        made.add(what);
    }

    void gone(Object what) {
        made.remove(what);
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public ProtectionDomain allocatePd() {
        SimDomain domain = new SimDomain(this);
        made(domain);
        return domain;
    }

    @Override
    public CompletionQueue createCq(CompletionQueueAttributes attributes) {
        SimQueue queue = new SimQueue(this, attributes);
        made(queue);
        return queue;
    }

    @Override
    public EventChannel createChannel() {
        return new SimChannel(process);
    }

    @Override
    public Listener listen(String address, EventChannel channel) {
        return Network.of(process.world()).listen(this, address, (SimChannel) channel);
    }

    @Override
    public Connection connect(String address, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs) {
        return Network.of(process.world()).connect(
                process, address, (SimQueuePair) qp, privateData, (SimChannel) channel, timeoutNs);
    }

    /** Its process is dead: its peers are told, as the system does it. */
    @Override
    public void die() {
        for (Object each : List.copyOf(made)) {
            if (each instanceof SimQueuePair qp) {
                qp.die();
            } else if (each instanceof SimListener listener) {
                listener.close();
            }
        }
    }

    /** Returns what is left of a device that is closed, or was never; nothing of one whose process is dead. */
    @Override
    public List<String> left() {
        List<String> left = new ArrayList<>();
        if (!process.isDead()) {
            made.forEach(each -> left.add(each.toString()));
            if (!closed) {
                left.add("device");
            }
        }
        return left;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            for (Object each : List.copyOf(made)) {
                if (each instanceof SimListener listener) {
                    listener.close();
                }
            }
        }
    }
}
