package org.jvrpc.tcp;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.AuthContract;

class TcpAuthTest extends AuthContract implements TcpUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.ANONYMOUS;
    }

    @Override
    protected boolean isPrivate() {
        return false;
    }
}
