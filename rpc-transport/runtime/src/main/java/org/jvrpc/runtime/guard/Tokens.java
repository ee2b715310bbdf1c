package org.jvrpc.runtime.guard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.auth.TokenVerifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that a server was shown, by their digests: each is verified once, then known until it expires or is
 * forgotten for others. Any thread.
 */
final class Tokens {

    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    private static final String SCHEME = "Bearer ";
    /** Shorter ones may be words. */
    private static final int LEAST_PART = 12;

    private final TokenVerifier verifier;
    private final Supplier<Instant> now;
    private final Function<RpcPrincipal, Pass> passes;
    private final Consumer<RpcPrincipal> welcome;
    private final int most;
    /** The one that was used last comes last. Guarded by itself. */
    private final Map<ByteBuffer, Pass> known = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Makes it.
     *
     * @param passes makes the pass of a principal
     * @param welcome throws where a principal is revoked
     */
    Tokens(TokenVerifier verifier, Supplier<Instant> now, Function<RpcPrincipal, Pass> passes,
            Consumer<RpcPrincipal> welcome, int most) {
        this.verifier = verifier;
        this.now = now;
        this.passes = passes;
        this.welcome = welcome;
        this.most = most;
    }

    /**
     * Returns whose it is.
     *
     * @param shown as metadata has it
     * @throws RpcException UNAUTHENTICATED, or INTERNAL where the verifier fails; its message has no token
     */
    Pass of(String shown) {
        String token = token(shown);
        ByteBuffer key = key(token);
        Pass found;
        synchronized (known) {
            found = known.get(key);
        }
        if (found == null) {
            RpcPrincipal principal = verify(token);
            expectFresh(principal);
            found = passes.apply(principal);
            keep(key, found);
        } else if (found.principal().isExpired(now.get())) {
            synchronized (known) {
                known.remove(key, found);
            }
            expectFresh(found.principal());
        }
        return found;
    }

    private void expectFresh(RpcPrincipal principal) {
        if (principal.isExpired(now.get())) {
            throw refused("the token of " + principal + " expired at " + principal.expiresAt());
        }
    }

    private void keep(ByteBuffer key, Pass found) {
        synchronized (known) {
            known.put(key, found);
            if (known.size() > most) {
                known.remove(known.keySet().iterator().next());
            }
        }
        try {
            welcome.accept(found.principal()); // after it is kept, as who revokes looks at those that are
        } catch (RpcException e) {
            forget(found.principal()::equals);
            throw e;
        }
    }

    private static String token(String shown) {
        if (!shown.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw refused("the call shows no bearer token, but something else: chars=" + shown.length());
        }
        int length = shown.length() - SCHEME.length();
        if (length == 0 || length > TokenVerifier.MAX_CHARS) {
            throw refused("a token has 1 to " + TokenVerifier.MAX_CHARS + " characters: chars=" + length);
        }
        for (int i = SCHEME.length(); i < shown.length(); i++) {
            if (shown.charAt(i) <= ' ' || shown.charAt(i) >= 0x7f) {
                throw refused("a token has visible characters of ASCII alone: chars=" + length);
            }
        }
        return shown.substring(SCHEME.length());
    }

    private static ByteBuffer key(String token) {
        try {
            return ByteBuffer.wrap(
                    MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    private RpcPrincipal verify(String token) {
        RpcPrincipal principal;
        try {
            principal = verifier.verify(token);
        } catch (RpcException e) {
            String why = e.getMessage();
            throw refused(why == null || repeats(why, token) ? "the token is refused" : why);
        } catch (Throwable t) { // it is the user's; its message may have the token
            LOG.warn("the token verifier throws: {}", t.getClass().getName());
            LOG.debug("the token verifier throws", withoutMessage(t));
            throw RpcException.notRun(Status.INTERNAL, "the token verifier failed: " + t.getClass().getName());
        }
        if (principal == null) {
            throw refused("the token is nobody's");
        }
        return principal;
    }

    /** Returns true for a text that has a token, or one of the parts between its dots. */
    private static boolean repeats(String why, String token) {
        if (why.contains(token)) {
            return true;
        }
        for (String part : token.split("\\.", -1)) {
            if (part.length() >= LEAST_PART && why.contains(part)) {
                return true;
            }
        }
        return false;
    }

    private static Throwable withoutMessage(Throwable thrown) {
        Throwable shown = new Throwable(thrown.getClass().getName());
        shown.setStackTrace(thrown.getStackTrace());
        return shown;
    }

    private static RpcException refused(String why) {
        return RpcException.notRun(Status.UNAUTHENTICATED, why);
    }

    /** Has them verified again whose principals match. */
    void forget(Predicate<RpcPrincipal> which) {
        synchronized (known) {
            known.values().removeIf(each -> which.test(each.principal()));
        }
    }

    int size() {
        synchronized (known) {
            return known.size();
        }
    }
}
