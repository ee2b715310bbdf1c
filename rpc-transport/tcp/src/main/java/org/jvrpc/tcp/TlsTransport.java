package org.jvrpc.tcp;

import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;

/** Carries sessions to {@code tls://host:port}, encrypted, where the server proves its name. */
public final class TlsTransport implements Transport {

    @Override
    public String scheme() {
        return "tls";
    }

    @Override
    public boolean compresses() {
        return true;
    }

    @Override
    public ClientTransport openClient(String address, Environment environment) {
        return new StreamClient(TlsAddress.parse(address), environment.clock());
    }

    @Override
    public ServerTransport openServer(ServerTransport.Server server, Setup setup) {
        return new StreamServer(server, setup, TlsAddress::parse);
    }
}
