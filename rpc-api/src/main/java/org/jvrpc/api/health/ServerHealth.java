package org.jvrpc.api.health;

/**
 * The states that a server reports to those who ask {@link Health}. The server as a whole, by the empty name, and each
 * of its services are SERVING from the start; they stand each for itself, so that a server of which everything is to
 * rest says so by each name that its clients ask for. Once the server drains or stops everything is NOT_SERVING, and
 * nothing that is set changes that. Any thread.
 */
public interface ServerHealth {

    /** The name of the server as a whole. */
    String SERVER = "";

    /**
     * Says how a service stands. Calls that come all the same are served: it is for clients to go elsewhere.
     *
     * @param service a name on the wire, of a service that is here or of anything else that clients ask for; empty for
     *     the server as a whole
     * @throws IllegalArgumentException when the status is SERVICE_UNKNOWN, which is for names that were never set, or
     *     the name is longer than 1024 characters, or more than 1024 names are set
     */
    void set(String service, ServingStatus status);

    /** Returns how a service stands: SERVICE_UNKNOWN for one that is not here and was never set. */
    ServingStatus status(String service);
}
