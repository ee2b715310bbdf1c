package org.jvrpc.runtime.sim.device;

import java.util.concurrent.locks.LockSupport;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.QueuePair;

/** A simulated process that wants to connect, and its wait for the answer. */
final class SimRequest implements SimListener.Request {

    private final SimProcess process;
    private final SimQueuePair qp;
    private final byte[] privateData;
    private final SimChannel channel;
    private final Thread waiter = Thread.currentThread();
    private SimConnection made;
    private byte[] refusal;
    private String end;
    private boolean answered;
    private boolean left;

    SimRequest(SimProcess process, SimQueuePair qp, byte[] privateData, SimChannel channel) {
        this.process = process;
        this.qp = qp;
        this.privateData = privateData.clone();
        this.channel = channel;
    }

    /** Waits for the answer. */
    Connection await(String address, long timeoutNs) {
        World world = process.world();
        long endNs = world.nowNs() + timeoutNs;
        while (!answered && world.nowNs() < endNs) {
            process.parkNanos(this, endNs - world.nowNs());
            Thread.interrupted();
        }
        if (made != null) {
            return made;
        }
        left = true;
        qp.error();
        if (!answered) {
            throw new ConnectionException(ConnectionException.Reason.TIMEOUT, "no answer from " + address, null);
        }
        throw refusal == null
                ? new ConnectionException(ConnectionException.Reason.UNREACHABLE, address + ": " + end, null)
                : new ConnectionException(ConnectionException.Reason.REJECTED, address, refusal, null);
    }

    @Override
    public void drop() {
        end(null, "the listener is gone");
    }

    private void end(byte[] data, String why) {
        if (!answered) {
            answered = true;
            refusal = data;
            end = why;
            LockSupport.unpark(waiter);
        }
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public String peer() {
        return process.name();
    }

    @Override
    public Connection accept(QueuePair with, byte[] data) {
        throw new IllegalStateException("say which channel");
    }

    @Override
    public Connection accept(QueuePair with, byte[] data, org.jvrpc.verbs.EventChannel watch) {
        if (answered) {
            throw new IllegalStateException("answered already");
        }
        if (left || process.isDead()) {
            throw new ConnectionException(ConnectionException.Reason.UNREACHABLE, "the peer is gone", null);
        }
        SimQueuePair here = (SimQueuePair) with;
        SimQueuePair.join(qp, here);
        SimConnection mine = new SimConnection(here, privateData, (SimChannel) watch);
        made = new SimConnection(qp, data.clone(), channel);
        SimConnection.join(mine, made);
        answered = true;
        LockSupport.unpark(waiter);
        return mine;
    }

    @Override
    public void reject(byte[] data) {
        end(data.clone(), "rejected");
    }
}
