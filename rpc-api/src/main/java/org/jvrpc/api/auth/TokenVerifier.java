package org.jvrpc.api.auth;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Knows tokens. Its answer for a token is kept, for {@link #KEPT} tokens at most, until the principal expires: whoever
 * is to be heard of again sooner has an expiry. Tokens that are refused are not kept. Called by the server's threads,
 * several at once, which serve nobody meanwhile: it must not wait.
 */
@FunctionalInterface
public interface TokenVerifier {

    /** How many tokens a server remembers; beyond it the one that was not used for the longest time is forgotten. */
    int KEPT = 4096;
    /** The longest token that a verifier sees, in characters, all of which are visible ones of ASCII. */
    int MAX_CHARS = 8192;

    /**
     * Looks at a token.
     *
     * @return whose it is, of {@link RpcPrincipal#token}; null for nobody's, of which the caller hears with
     *     UNAUTHENTICATED
     * @throws org.jvrpc.api.RpcException as null, with the reason in its message, which must not have the token.
     *     Whatever else is thrown refuses, too: with INTERNAL, and without its message
     */
    @Nullable RpcPrincipal verify(String token);

    /**
     * Returns one that knows some tokens. It compares in a time that does not tell how much of a token was right.
     *
     * @param tokens and whose they are; copied, as digests
     */
    static TokenVerifier of(Map<String, RpcPrincipal> tokens) {
        return new KnownTokens(tokens);
    }
}
