package org.jvrpc.runtime.contract;

import org.jvrpc.api.RpcService;

/** A second service. */
@RpcService
public interface Twin {

    String say(String text);
}
