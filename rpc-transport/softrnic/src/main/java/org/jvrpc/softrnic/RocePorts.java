package org.jvrpc.softrnic;

import java.net.InetAddress;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jvrpc.softrnic.chain.ChainEngine;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.roce.Keeper;
import org.jvrpc.softrnic.roce.RoceHost;
import org.jvrpc.softrnic.roce.RocePort;
import org.jvrpc.softrnic.roce.UdPort;
import org.jvrpc.softrnic.roce.ring.RemoteKeys;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;

/** Ports that send packets. Any thread. */
final class RocePorts implements PortFactory {

    private final InetAddress near;
    private final int udp;
    private final boolean loopsInside;
    private final RemoteKeys keys = RemoteKeys.random();
    private RoceHost host;

    /**
     * Those of a device.
     *
     * @param near local address of QPs that are connected without a connection manager
     * @param udp their UDP port and their peers'; 0 for any
     * @param loopsInside what RC QPs send to others of the device does not pass through the kernel
     */
    RocePorts(InetAddress near, int udp, boolean loopsInside) {
        this.near = near;
        this.udp = udp;
        this.loopsInside = loopsInside;
    }

    private synchronized RoceHost host(SoftDevice device) {
        if (host == null) {
            host = new RoceHost(near, udp, new Keeper() {
                @Override
                public <C extends AutoCloseable> C keep(C child) {
                    return device.node().keep(child);
                }

                @Override
                public void forget(AutoCloseable child) {
                    device.node().forget(child);
                }
            });
        }
        return host;
    }

    @Override
    public Port create(SoftQueuePair qp) {
        RoceHost host = host(qp.device());
        if (qp.isDatagram()) {
            return new UdPort(host.home(), qp, qp.device().arena());
        }
        RocePort port = new RocePort(
                host::home, host.tally(), qp, qp.device().arena(), keys, chain(qp), qp.device().name());
        return loopsInside ? port.loopInside() : port;
    }

    @Override
    public boolean deliversHere() {
        return true;
    }

    @Override
    public boolean adopts() {
        return true;
    }

    /** Returns the engine of a cross-channel QP; null for others. */
    private static ChainEngine chain(SoftQueuePair qp) {
        if (qp.group() == null) {
            return null;
        }
        QpContext.join(qp.sends().memory(), qp.context(), qp.group().address());
        return new ChainEngine(qp.device().arena(), qp.group(), qp);
    }

    @Override
    public int maxDatagramBytes(SoftDevice device) {
        return host(device).home().mtu();
    }

    @Override
    public Route openRoute(SoftDevice device, int pd, byte[] endpoint, int trafficClass) {
        return host(device).home().openRoute(pd, endpoint, trafficClass);
    }

    @Override
    public Map<String, Long> counters(SoftDevice device) {
        return host(device).counters();
    }

    @Override
    public int claimQpn() {
        return RoceHost.claimQpn();
    }

    @Override
    public void releaseQpn(int number) {
        RoceHost.releaseQpn(number);
    }

    @Override
    public int maxRequestBytes() {
        return RoceHost.maxRequestBytes();
    }

    @Override
    public int maxAnswerBytes() {
        return RoceHost.maxAnswerBytes();
    }

    @Override
    public long longestSendNs() {
        return RocePort.longestSendNs();
    }

    @Override
    public Listener listen(SoftDevice device, String address, EventChannel channel) {
        return host(device).listen(address, channel);
    }

    @Override
    public Connection connect(SoftDevice device, String address, QueuePair qp, byte[] privateData,
            EventChannel channel, long timeoutNs, Runnable meanwhile) {
        return host(device).connect(address, qp, privateData, channel, timeoutNs, meanwhile);
    }

    @Override
    public int remoteKey(int key) {
        return keys.of(key);
    }

    @Override
    public IntUnaryOperator keyOfRemote() {
        return keys::key;
    }

    @Override
    public void quiesce() {
        RoceHost made;
        synchronized (this) {
            made = host;
        }
        if (made != null) {
            made.quiesce();
        }
    }

    @Override
    public synchronized void close() {
        if (host != null) {
            host.close();
        }
    }
}
