package org.jvrpc.tcp;

import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;

/** Carries sessions to {@code tcp://host:port}. Nothing is encrypted: for networks that are trusted. */
public final class TcpTransport implements Transport {

    @Override
    public String scheme() {
        return "tcp";
    }

    @Override
    public boolean compresses() {
        return true;
    }

    @Override
    public ClientTransport openClient(String address, Environment environment) {
        return new StreamClient(TcpAddress.parse(address), environment.clock());
    }

    @Override
    public ServerTransport openServer(ServerTransport.Server server, Setup setup) {
        return new StreamServer(server, setup, TcpAddress::parse);
    }
}
