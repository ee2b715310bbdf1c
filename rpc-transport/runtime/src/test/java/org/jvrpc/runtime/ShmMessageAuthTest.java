package org.jvrpc.runtime;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.MessageAuthContract;

class ShmMessageAuthTest extends MessageAuthContract implements ShmUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.PROCESS;
    }
}
