package org.jvrpc.verbs;

/**
 * The way to a peer's device, for datagrams to any of its QPs. Made by {@link ProtectionDomain#createAh}; used by QPs
 * of that domain, by many at a time. It must live until the sends that name it are complete. Source: ibv_create_ah(3).
 */
public interface AddressHandle extends AutoCloseable {

    /** Ends the handle. Idempotent. */
    @Override
    void close();
}
