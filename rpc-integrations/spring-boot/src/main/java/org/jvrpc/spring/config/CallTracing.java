package org.jvrpc.spring.config;

import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.ServerInterceptor;

/**
 * Makes the interceptors by which the calls of a context's servers and clients are traced, where they are. They are the
 * outermost: the application's own interceptors count into the span, which is current in those of servers. Any thread.
 */
public interface CallTracing {

    /** Makes that of a client. @param address what it is connected to */
    ClientInterceptor client(String address);

    /** Makes that of a server. @param address what it is bound to */
    ServerInterceptor server(String address);
}
