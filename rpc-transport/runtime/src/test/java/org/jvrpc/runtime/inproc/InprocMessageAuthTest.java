package org.jvrpc.runtime.inproc;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.MessageAuthContract;

class InprocMessageAuthTest extends MessageAuthContract implements InprocUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.PROCESS;
    }
}
