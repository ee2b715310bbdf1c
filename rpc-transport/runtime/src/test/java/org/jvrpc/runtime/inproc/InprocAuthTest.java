package org.jvrpc.runtime.inproc;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.AuthContract;

class InprocAuthTest extends AuthContract implements InprocUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.PROCESS;
    }

    @Override
    protected boolean isPrivate() {
        return true;
    }
}
