package org.acme;

import org.jvrpc.api.RpcService;

@RpcService
public interface Old {

    /** @deprecated to be removed */
    @Deprecated(forRemoval = true)
    int first(int value);

    int second(int value);
}
