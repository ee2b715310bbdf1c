package org.jvrpc.runtime.balance;

import java.util.Set;

/**
 * The security that a client demands of the way to its servers: no address below it is used, whatever a resolver says
 * or fails.
 */
public enum LeastSecurity {

    /** Any way. */
    NONE(Set.of()),

    /**
     * What does not leave this host ({@code shm://}, {@code unix://}, {@code inproc://}), and what is encrypted
     * ({@code tls://}). Not {@code tcp://} to this host, where anybody may listen at a port that is free.
     */
    LOCAL_OR_ENCRYPTED(Set.of("inproc", "shm", "unix", "tls")),

    /** What is encrypted, and by which the server proves its name: {@code tls://}. */
    ENCRYPTED(Set.of("tls"));

    /** Empty for all. */
    private final Set<String> schemes;

    LeastSecurity(Set<String> schemes) {
        this.schemes = schemes;
    }

    /** Returns true when addresses of a scheme are good enough. One that nobody knows is for {@link #NONE} alone. */
    public boolean allows(String scheme) {
        return this == NONE || schemes.contains(scheme);
    }
}
