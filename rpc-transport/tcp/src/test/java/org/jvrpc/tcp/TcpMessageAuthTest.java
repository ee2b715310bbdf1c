package org.jvrpc.tcp;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.MessageAuthContract;

class TcpMessageAuthTest extends MessageAuthContract implements TcpUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.ANONYMOUS;
    }
}
