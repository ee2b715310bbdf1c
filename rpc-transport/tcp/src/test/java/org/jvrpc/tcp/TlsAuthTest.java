package org.jvrpc.tcp;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.AuthContract;

class TlsAuthTest extends AuthContract implements TlsUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.ANONYMOUS;
    }

    @Override
    protected boolean isPrivate() {
        return true;
    }
}
