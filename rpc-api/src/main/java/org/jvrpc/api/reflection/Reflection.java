package org.jvrpc.api.reflection;

import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Status;

/**
 * Tells which services a server has, and what they are on the wire, to programs that were built without them. A server
 * offers it where it was made so; interceptors and authorizers see its calls as any other. Many threads.
 */
@RpcService
public interface Reflection {

    /** Returns the names of the services on the wire, in no certain order. */
    List<String> services();

    /**
     * Returns what a service is.
     *
     * @param service its name on the wire
     * @throws RpcException {@link Status#NOT_FOUND} when the server has no such service
     */
    ServiceDescription describe(String service);
}
