package org.jvrpc.runtime.resolve;

/** That a registry knows a server. Any thread. */
public interface Registration {

    /**
     * Takes the server out of the registry, so that clients learn of it before it drains. Idempotent. Returns within
     * the timeout of {@link ResolverContext}, and throws nothing: what fails is logged, and the registry finds out by
     * itself.
     */
    void leave();
}
