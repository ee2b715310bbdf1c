package org.jvrpc.runtime.contract;

import org.jvrpc.api.RpcService;

/** A third service. */
@RpcService(name = "third")
public interface Third {

    long sum(long number);
}
