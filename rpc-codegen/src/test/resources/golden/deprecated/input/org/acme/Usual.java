package org.acme;

import org.jvrpc.api.RpcService;

/** Has nothing that needs a codec. */
@RpcService
interface Usual {

    void first(long value);

    int second();
}
