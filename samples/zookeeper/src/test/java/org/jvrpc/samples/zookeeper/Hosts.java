package org.jvrpc.samples.zookeeper;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.client.HostProvider;

/** A name that resolves as a test wants, and how often a client has asked where to connect. */
final class Hosts implements HostProvider {

    private final InetSocketAddress server;
    private final AtomicInteger asked = new AtomicInteger();

    /** @param address numeric */
    Hosts(String name, String address, int port) throws UnknownHostException {
        this.server = new InetSocketAddress(
                InetAddress.getByAddress(name, InetAddress.getByName(address).getAddress()), port);
    }

    /** Returns how many attempts to connect are over, or all but one. */
    int attempts() {
        return asked.get() - 1;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public InetSocketAddress next(long spinDelay) {
        asked.incrementAndGet();
        return server;
    }

    @Override
    public void onConnected() {
        // there is one
    }

    @Override
    public boolean updateServerList(Collection<InetSocketAddress> addresses, InetSocketAddress current) {
        return false;
    }
}
