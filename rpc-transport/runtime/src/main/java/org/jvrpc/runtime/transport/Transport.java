package org.jvrpc.runtime.transport;

import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.thread.Environment;

/**
 * Carries sessions to addresses of one scheme. Found as a {@link java.util.ServiceLoader} has it; addresses of schemes
 * that none has are those of devices of verbs. Any thread.
 */
public interface Transport {

    /** Returns what its addresses begin with, before {@code ://}. */
    String scheme();

    /** Returns true where its addresses may ask for compression, {@code ?compression=gzip}. */
    default boolean compresses() {
        return false;
    }

    /**
     * Opens what a client connects by.
     *
     * @throws IllegalArgumentException when it is no address
     * @throws org.jvrpc.verbs.VerbsException when this host cannot
     */
    ClientTransport openClient(String address, Environment environment);

    /**
     * Opens what a server is found by, and listens; nobody is taken before {@link ServerTransport#start}.
     *
     * @throws IllegalArgumentException when it is no address
     * @throws org.jvrpc.verbs.VerbsException when the address is in use, or none of this host's
     */
    ServerTransport openServer(ServerTransport.Server server, Setup setup);

    /**
     * How a server is found.
     *
     * @param threads how many poll the sessions
     * @param thread name of the control thread
     */
    record Setup(
            Protocol protocol,
            String address,
            int threads,
            String thread,
            Admission admission,
            SessionBudget budget,
            Environment environment) { }
}
