package org.jvrpc.tcp;

import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.contract.MessageAuthContract;

class TlsMessageAuthTest extends MessageAuthContract implements TlsUnderTest {

    @Override
    protected RpcPrincipal.Kind transportKind() {
        return RpcPrincipal.Kind.ANONYMOUS;
    }
}
