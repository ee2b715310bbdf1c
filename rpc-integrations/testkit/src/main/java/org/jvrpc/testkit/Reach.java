package org.jvrpc.testkit;

/** How clients of a test reach its server. */
public enum Reach {

    /** By {@code inproc://}: within the process, without files. */
    IN_PROCESS("inproc://"),
    /** By {@code shm://}: through shared memory, as between processes of a host. */
    SHARED_MEMORY("shm://");

    private final String scheme;

    Reach(String scheme) {
        this.scheme = scheme;
    }

    String address(String name) {
        return scheme + name;
    }
}
