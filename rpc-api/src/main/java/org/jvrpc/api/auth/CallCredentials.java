package org.jvrpc.api.auth;

import java.util.Objects;
import java.util.function.Supplier;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.stub.MethodDescriptor;

/**
 * Credentials that a caller shows with each call, and when it opens a service. Only transports that encrypt, or that do
 * not leave the host, carry it, unless the client says otherwise. Called by the threads that call, several at once.
 */
@FunctionalInterface
public interface CallCredentials {

    /** The name under which metadata has what a caller shows. */
    String NAME = "authorization";

    /**
     * Puts what is to be shown beside a call.
     *
     * @param method that is called; the opening of a service has one of its own, whose name is {@code (open)}
     * @throws org.jvrpc.api.RpcException which the call fails with; whatever else is thrown has it fail with
     *     UNAUTHENTICATED
     */
    void apply(MethodDescriptor method, Metadata metadata);

    /**
     * Returns credentials of whoever has a token, {@code authorization: Bearer TOKEN} as of RFC 6750.
     *
     * @param token asked for each call, by the thread that calls; it has visible characters of ASCII alone
     */
    static CallCredentials bearer(Supplier<String> token) {
        return new Bearer(Objects.requireNonNull(token, "token"));
    }
}
