package org.jvrpc.tcp;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.MessageAuthContract;

class UnixMessageAuthTest extends MessageAuthContract implements UnixUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.PROCESS;
    }
}
