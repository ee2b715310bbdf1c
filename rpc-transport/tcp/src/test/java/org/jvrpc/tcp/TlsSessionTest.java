package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.tcp.tls.Authority;

/** Sessions over TLS whose certificates lose their worth, and peers that want to agree anew. */
@Timeout(120)
class TlsSessionTest {

    private static final Authority CA = Authority.OWN;
    private static final int TIMEOUT_MS = 60_000;

    @TempDir
    private Path folder;

    private static RpcServer.Builder server(String query) {
        return RpcServer.builder().bind("tls://127.0.0.1:0?" + CA.proof("host") + query)
                .service(Adder.class, Integer::sum);
    }

    private static String client(RpcServer server, String query) {
        return server.address().replaceFirst("[?].*", "?") + CA.trust() + query;
    }

    @Test
    void aSessionEndsWhenItsClientsCertificateIsRevoked() throws IOException {
        Path crl = Files.copy(CA.crl("revoked"), folder.resolve("crl"));
        try (RpcServer server = server("&" + CA.trust() + "&crl=" + crl).keepAlive(Duration.ofMillis(100)).start();
                RpcClient client = RpcClient.connect(client(server, "&" + CA.proof("client")))) {
            Adder adder = client.stub(Adder.class);
            assertEquals(5, adder.add(2, 3));
            Files.copy(CA.crl("client"), crl, StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(crl, FileTime.fromMillis(1));
            while (client.isConnected()) { // until the time limit of the test
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            assertEquals(Status.UNAVAILABLE, assertThrows(RpcException.class, () -> adder.add(2, 3)).status());
            RpcException e = assertThrows(RpcException.class,
                    () -> RpcClient.connect(client(server, "&" + CA.proof("client"))));
            assertTrue(e.getMessage().contains("revoked"), e.getMessage());
        }
    }

    /** Trusts anybody: it is the server that is tested. */
    private static SSLSocket socket(RpcServer server) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {
                // whoever it is
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {
                // whoever it is
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        } }, null);
        int port = Integer.parseInt(server.address().replaceFirst(".*127.0.0.1:(\\d+).*", "$1"));
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    @Test
    void aClientThatWantsToAgreeAnewIsPutOut() throws Exception {
        try (RpcServer server = server("&protocol=TLSv1.2").start(); SSLSocket socket = socket(server)) {
            socket.startHandshake();
            assertEquals("TLSv1.2", socket.getSession().getProtocol());
            socket.getOutputStream().write('j'); // all is well
            SSLSession agreed = socket.getSession();
            agreed.invalidate(); // so that another agreement is told by its id
            assertThrows(IOException.class, () -> {
                socket.startHandshake();
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("it ended");
                }
            });
            assertArrayEquals(agreed.getId(), socket.getSession().getId());
            try (RpcClient client = RpcClient.connect(client(server, "&protocol=TLSv1.2"))) {
                assertEquals(5, client.stub(Adder.class).add(2, 3));
            }
        }
    }
}
