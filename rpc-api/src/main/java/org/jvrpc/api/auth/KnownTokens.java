package org.jvrpc.api.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tokens that are known beforehand, as digests: how long a comparison takes says nothing of them. Immutable. */
final class KnownTokens implements TokenVerifier {

    private record Known(byte[] digest, RpcPrincipal principal) { }

    private final List<Known> all = new ArrayList<>();

    KnownTokens(Map<String, RpcPrincipal> tokens) {
        tokens.forEach((token, principal) ->
                all.add(new Known(digest(token), Objects.requireNonNull(principal, "principal"))));
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    @Override
    public @Nullable RpcPrincipal verify(String token) {
        byte[] asked = digest(token);
        @Nullable RpcPrincipal found = null;
        for (Known known : all) { // all of them, in any case
            found = MessageDigest.isEqual(known.digest, asked) ? known.principal : found;
        }
        return found;
    }

    @Override
    public String toString() {
        return "tokens=" + all.size();
    }
}
