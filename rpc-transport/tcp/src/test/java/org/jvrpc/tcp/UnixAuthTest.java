package org.jvrpc.tcp;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.AuthContract;

class UnixAuthTest extends AuthContract implements UnixUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.PROCESS;
    }

    @Override
    protected boolean isPrivate() {
        return true;
    }
}
