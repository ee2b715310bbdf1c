package org.jvrpc.runtime.invocation;

import org.jvrpc.api.stub.ServiceDescriptor;

/**
 * What a service's descriptor is, too, whose stubs have something stand between a client's retries and hedging and what
 * makes their attempts: faults of tests, which policies shall meet as they meet the network's. Any thread.
 */
@FunctionalInterface
public interface AttemptService {

    /** Returns the way that attempts shall go. @param channel the one that they would go */
    AttemptChannel around(AttemptChannel channel);

    /** Returns the way that attempts of a service go, which is the given one for most. */
    static AttemptChannel way(ServiceDescriptor<?> service, AttemptChannel channel) {
        return service instanceof AttemptService own ? own.around(channel) : channel;
    }
}
