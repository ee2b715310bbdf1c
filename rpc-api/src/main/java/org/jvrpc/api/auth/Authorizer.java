package org.jvrpc.api.auth;

import org.jspecify.annotations.Nullable;

/**
 * Decides what somebody may do: asked when they connect, before there is a session; when they open a service; before
 * each call, when none of its arguments has been decoded; and about every session now and then, as long as it lives.
 * Called by the server's threads, several at once, which serve nobody meanwhile: it must not wait.
 */
@FunctionalInterface
public interface Authorizer {

    /**
     * Looks at somebody.
     *
     * @return null where they may, or why not, which they are told: with PERMISSION_DENIED, or, where nobody knows who
     *     they are, with UNAUTHENTICATED
     * @throws org.jvrpc.api.RpcException with UNAUTHENTICATED or PERMISSION_DENIED, to choose. Whatever else is thrown
     *     refuses, too: with INTERNAL, and without its message
     */
    @Nullable String refusal(RpcPrincipal principal, Access access);
}
