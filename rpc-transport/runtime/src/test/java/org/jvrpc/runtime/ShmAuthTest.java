package org.jvrpc.runtime;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.AuthContract;

class ShmAuthTest extends AuthContract implements ShmUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.PROCESS;
    }

    @Override
    protected boolean isPrivate() {
        return true;
    }
}
