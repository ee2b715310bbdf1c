package org.jvrpc.runtime.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.RpcPrincipal;

/** What a server remembers of tokens. */
class TokensTest {

    private static final int MOST = 3;

    private final List<String> verified = new ArrayList<>();
    private Instant now = Instant.ofEpochSecond(1000);
    private boolean revoked;
    private final Tokens tokens = new Tokens(token -> {
        verified.add(token);
        return RpcPrincipal.token(token, token.startsWith("short") ? Instant.ofEpochSecond(1010) : null);
    }, () -> now, principal -> new Pass(principal, null), principal -> {
        if (revoked) {
            throw new RpcException(Status.UNAUTHENTICATED, "revoked");
        }
    }, MOST);

    private String name(String token) {
        return tokens.of("bearer " + token).principal().name();
    }

    @Test
    void aTokenIsVerifiedOnce() {
        assertEquals("a", name("a"));
        assertEquals("a", name("a"));
        assertEquals(List.of("a"), verified);
    }

    @Test
    void theOneThatWasNotUsedForTheLongestTimeIsForgotten() {
        for (String token : List.of("a", "b", "c", "a", "d")) {
            name(token);
        }
        assertEquals(MOST, tokens.size());
        verified.clear();
        name("a");
        name("b");
        assertEquals(List.of("b"), verified);
    }

    @Test
    void manyTokensAreNotRemembered() {
        for (int i = 0; i < 10_000; i++) {
            name("token-" + i);
        }
        assertEquals(MOST, tokens.size());
    }

    @Test
    void aTokenThatExpiresIsNoneAnyMoreFromThatInstantOn() {
        name("short");
        now = Instant.ofEpochSecond(1009);
        name("short");
        now = Instant.ofEpochSecond(1010);
        RpcException e = assertThrows(RpcException.class, () -> name("short"));
        assertEquals(Status.UNAUTHENTICATED, e.status());
        assertEquals("the token of token:short expired at 1970-01-01T00:16:50Z", e.getMessage());
        assertEquals(0, tokens.size());
        assertEquals(List.of("short"), verified);
    }

    @Test
    void whatIsRevokedWhileItIsVerifiedIsNotKept() {
        revoked = true;
        assertThrows(RpcException.class, () -> name("a"));
        assertEquals(0, tokens.size());
    }

    @Test
    void aReasonThatRepeatsPartOfATokenIsNotPassedOn() {
        String payload = "eyJzdWIiOiJhbm4ifQ";
        Tokens refusing = new Tokens(token -> {
            throw new RpcException(Status.UNAUTHENTICATED,
                    token.startsWith("a.") ? "bad signature of " + payload : "no");
        }, () -> now, principal -> new Pass(principal, null), principal -> { }, MOST);
        RpcException e = assertThrows(RpcException.class, () -> refusing.of("Bearer a." + payload + ".c"));
        assertEquals("the token is refused", e.getMessage());
        assertEquals("no", assertThrows(RpcException.class, () -> refusing.of("Bearer b." + payload)).getMessage());
    }

    @Test
    void whatIsForgottenIsVerifiedAgain() {
        name("a");
        name("b");
        tokens.forget(principal -> principal.name().equals("a"));
        name("a");
        name("b");
        assertEquals(List.of("a", "b", "a"), verified);
    }
}
