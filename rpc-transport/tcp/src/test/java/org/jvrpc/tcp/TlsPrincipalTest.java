package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testing.Waits;

/** Who is behind a certificate. */
class TlsPrincipalTest {

    private static final TlsFiles ANN = TlsFiles.make("Ann, OU=Trade",
            "san=dns:ann.example,email:ann@example.org,uri:urn:ann");

    private final List<RpcPrincipal> callers = new CopyOnWriteArrayList<>();

    private RpcServer serve(UnaryOperator<RpcServer.Builder> settings) {
        String address = "tls://127.0.0.1:0?" + TlsFiles.own().proof() + "&" + ANN.trust();
        return settings.apply(RpcServer.builder().bind(address).service(Adder.class, Integer::sum)
                .intercept((call, next) -> {
                    callers.add(call.principal());
                    next.proceed();
                })).start();
    }

    private static RpcClient connect(RpcServer server) {
        return RpcClient.connect(server.address().replaceFirst("[?].*", "") + "?" + TlsFiles.own().trust() + "&"
                + ANN.proof());
    }

    @Test
    void theCertificateSaysWhoCallsAndUntilWhen() {
        try (RpcServer server = serve(builder -> builder); RpcClient client = connect(server)) {
            assertEquals(5, client.stub(Adder.class).add(2, 3));
            RpcPrincipal ann = callers.get(0);
            assertEquals(RpcPrincipal.Kind.CERTIFICATE, ann.kind());
            assertEquals("CN=Ann,OU=Trade", ann.name());
            assertEquals(List.of("DNS:ann.example", "email:ann@example.org", "URI:urn:ann"), ann.alternativeNames());
            assertEquals(ann.chain().get(0).getNotAfter().toInstant(), ann.expiresAt());
            assertEquals("127.0.0.1", ann.host().getHostAddress());
            assertEquals(RpcPrincipal.UNKNOWN, ann.uid());
        }
    }

    @Test
    void aCertificateThatIsRevokedEndsItsSessionAndConnectsNoMore() {
        try (RpcServer server = serve(builder -> builder); RpcClient client = connect(server)) {
            Adder adder = client.stub(Adder.class);
            adder.add(1, 1);
            server.revoke(who -> who.alternativeNames().contains("DNS:ann.example"));
            Waits.until("the session to end", () -> !client.isConnected());
            RpcException e = assertThrows(RpcException.class, () -> connect(server));
            assertEquals(Status.UNAUTHENTICATED, e.status(), e.getMessage());
            assertTrue(e.getMessage().endsWith("certificate:CN=Ann,OU=Trade is revoked"), e.getMessage());
        }
    }

    @Test
    void certificatesAreWhatLimitsAndAuthorizersGoBy() {
        try (RpcServer server = serve(builder -> builder.principalLimits(new PrincipalLimits().maxSessions(1))
                .authorizer((who, access) -> who.name().startsWith("CN=Ann,") ? null : "only Ann"));
                RpcClient client = connect(server)) {
            assertEquals(5, client.stub(Adder.class).add(2, 3));
            RpcException e = assertThrows(RpcException.class, () -> connect(server));
            assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
            assertTrue(e.getMessage().contains("certificate:CN=Ann,OU=Trade has reached its limit: sessions=1"),
                    e.getMessage());
        }
    }
}
