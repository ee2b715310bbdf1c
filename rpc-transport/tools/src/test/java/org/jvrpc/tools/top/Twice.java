package org.jvrpc.tools.top;

import org.jvrpc.api.RpcService;

/** A service. */
@RpcService
interface Twice {

    long twice(long number);
}
