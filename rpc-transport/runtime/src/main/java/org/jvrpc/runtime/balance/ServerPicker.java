package org.jvrpc.runtime.balance;

/** Picks the server of each call. Many threads; allocates nothing. */
@FunctionalInterface
public interface ServerPicker {

    /**
     * Picks a server.
     *
     * @param hash that of the call's key, see {@link org.jvrpc.api.CallOptions#withHashKey}, or a random one
     * @return its index in the list that the picker was made with
     */
    int pick(long hash);
}
