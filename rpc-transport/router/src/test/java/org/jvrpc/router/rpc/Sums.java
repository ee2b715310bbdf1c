package org.jvrpc.router.rpc;

import org.jvrpc.api.RpcService;

/** What tenants call. */
@RpcService
public interface Sums {

    long add(long a, long b);
}
