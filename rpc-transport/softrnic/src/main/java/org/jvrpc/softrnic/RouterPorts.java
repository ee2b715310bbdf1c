package org.jvrpc.softrnic;

import java.nio.file.Path;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.LocalRegion;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.router.HostDevice;
import org.jvrpc.softrnic.router.RouterAddress;
import org.jvrpc.softrnic.router.RouterHost;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.SrqNote;
import org.jvrpc.softrnic.shm.folder.Place;
import org.jvrpc.verbs.Chains;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;

/** Ports whose work a router does, for a device in a tenant's folder. Any thread. */
final class RouterPorts implements PortFactory {

    /** The router's worker may find no processor for a while, as any of its threads that answer commands may. */
    private static final long LONGEST_SEND_NS = 5_000_000_000L;

    private final RouterAddress address;
    private RouterHost host;

    RouterPorts(RouterAddress address) {
        this.address = address;
    }

    @Override
    public long longestSendNs() {
        return LONGEST_SEND_NS;
    }

    @Override
    public Place place() {
        return new Place(address.folder());
    }

    @Override
    public void begin(SoftDevice device) {
        host = RouterHost.attach(address, new HostDevice() {
            @Override
            public Path folder() {
                return device.folder();
            }

            @Override
            public Arena arena() {
                return device.arena();
            }

            @Override
            public LongSupplier clock() {
                return device.node().clock();
            }

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

    @Override
    public Port create(SoftQueuePair qp) {
        return host.port(qp);
    }

    @Override
    public int bytesBehind() {
        return host.portBytes();
    }

    @Override
    public boolean isPrivate() {
        return host.isPrivate();
    }

    @Override
    public boolean copiesUserMemory() {
        return true;
    }

    @Override
    public boolean completesAfar() {
        return true;
    }

    @Override
    public boolean deliversHere() {
        return true; // a completion wakes by the socket
    }

    @Override
    public void made(LocalRegion region, int pd) {
        if (region.isShared() || region.staging() != null) {
            host.register(new RegionNote(region.key(), pd, region.access(), region.address(), region.length()));
        }
    }

    @Override
    public void gone(LocalRegion region) {
        host.deregister(region.key());
    }

    @Override
    public void freed() {
        host.dropSlabs();
    }

    @Override
    public void made(CqNote cq, Runnable wake, IntSupplier consumer) {
        host.create(cq, wake, consumer);
    }

    @Override
    public void goneCq(int number) {
        host.destroyCq(number);
    }

    @Override
    public void made(SrqNote srq) {
        host.create(srq);
    }

    @Override
    public void goneSrq(int number) {
        host.destroySrq(number);
    }

    @Override
    public Chains chains(int pd) {
        return host.chains(pd);
    }

    @Override
    public void goneChains(int pd) {
        host.endChains(pd);
    }

    @Override
    public Route openRoute(SoftDevice device, int pd, byte[] endpoint, int trafficClass) {
        return host.openRoute(pd, endpoint);
    }

    @Override
    public int remoteKey(int key) {
        return host.remoteKey(key);
    }

    @Override
    public Listener listen(SoftDevice device, String text, EventChannel channel) {
        return host.listen(text, channel);
    }

    @Override
    public Connection connect(SoftDevice device, String text, QueuePair qp, byte[] privateData, EventChannel channel,
            long timeoutNs, Runnable meanwhile) {
        return host.connect(text, qp, privateData, channel, timeoutNs, meanwhile);
    }

    @Override
    public void close() {
        if (host != null) {
            host.close();
        }
    }
}
