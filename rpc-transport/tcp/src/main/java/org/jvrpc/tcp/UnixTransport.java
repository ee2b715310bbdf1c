package org.jvrpc.tcp;

import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;

/** Carries sessions to {@code unix:///path}, between processes of one user. */
public final class UnixTransport implements Transport {

    @Override
    public String scheme() {
        return "unix";
    }

    @Override
    public ClientTransport openClient(String address, Environment environment) {
        return new StreamClient(UnixAddress.parse(address), environment.clock());
    }

    @Override
    public ServerTransport openServer(ServerTransport.Server server, Setup setup) {
        return new StreamServer(server, setup, UnixAddress::parse);
    }
}
