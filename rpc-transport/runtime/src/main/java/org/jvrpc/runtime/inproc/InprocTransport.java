package org.jvrpc.runtime.inproc;

import java.util.regex.Pattern;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;

/** Carries sessions within a process, to {@code inproc://name}. */
public final class InprocTransport implements Transport {

    private static final Pattern FORM = Pattern.compile("inproc://[\\w.:@+-]{1,100}");

    @Override
    public String scheme() {
        return "inproc";
    }

    @Override
    public ClientTransport openClient(String address, Environment environment) {
        return new InprocClient(parse(address), environment.clock());
    }

    @Override
    public ServerTransport openServer(ServerTransport.Server server, Setup setup) {
        return new InprocServer(server, setup);
    }

    /** Returns the address. @throws IllegalArgumentException when it is none */
    static String parse(String address) {
        if (!FORM.matcher(address).matches()) {
            throw new IllegalArgumentException("address=" + address
                    + " is not inproc://name, of up to 100 letters, digits and any of . : @ + - _");
        }
        return address;
    }
}
