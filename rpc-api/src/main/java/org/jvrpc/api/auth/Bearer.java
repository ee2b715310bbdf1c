package org.jvrpc.api.auth;

import java.util.function.Supplier;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;

/** Shows a token. Any thread. */
final class Bearer implements CallCredentials {

    private final Supplier<String> source;

    Bearer(Supplier<String> source) {
        this.source = source;
    }

    @Override
    public void apply(MethodDescriptor method, Metadata metadata) {
        String token = source.get();
        if (token == null || token.isEmpty()) {
            throw RpcException.notRun(Status.UNAUTHENTICATED, "there is no token for " + method.fullName());
        }
        if (token.length() > TokenVerifier.MAX_CHARS) {
            throw RpcException.notRun(Status.UNAUTHENTICATED, "a token has up to " + TokenVerifier.MAX_CHARS
                    + " characters: chars=" + token.length());
        }
        for (int i = 0; i < token.length(); i++) {
            if (token.charAt(i) <= ' ' || token.charAt(i) >= 0x7f) {
                throw RpcException.notRun(Status.UNAUTHENTICATED,
                    "a token has visible characters of ASCII alone: chars="
                        + token.length() + " the one that is not is at=" + i);
            }
        }
        metadata.put(NAME, "Bearer " + token);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "bearer token";
    }
}
