package org.jvrpc.tcp.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which certificates are refused, and what each side says then. */
class TlsCertificateTest {

    private static final Authority CA = Authority.OWN;

    @TempDir
    private Path folder;

    private static void says(String part, String message) {
        assertTrue(message != null && message.contains(part), () -> "\"" + part + "\" is not in: " + message);
    }

    private static String revoked() {
        return CA.trust() + "&crl=" + CA.crl("revoked");
    }

    @Test
    void aGoodCertificateIsTakenByBothSidesAndKnown() throws IOException {
        try (Handshake made = Handshake.of(revoked() + "&" + CA.proof("client"),
                revoked() + "&" + CA.proof("host")).succeeds()) {
            says("CN=client", made.server.peerCertificates().get(0).getSubjectX500Principal().toString());
            says("CN=host", made.client.peerCertificates().get(0).getSubjectX500Principal().toString());
            assertNull(made.server.refusal());
        }
        try (Handshake made = Handshake.of(CA.trust(), CA.proof("host")).succeeds()) {
            assertEquals(0, made.server.peerCertificates().size(), "a client that was not asked");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "expired | has expired: it was valid until | has expired",
        "revoked | has been revoked | revoked",
        "itself | is signed by itself | is not trusted",
        "one | is not that of whom this side wanted | is not of whom it wanted",
    })
    void aServersCertificateIsRefusedAndBothSidesSayWhy(String alias, String client, String server) throws IOException {
        try (Handshake made = Handshake.of(revoked(), CA.proof(alias))) {
            says(client, made.clientSays);
            says("CN=" + alias, made.clientSays);
            says(server, made.serverSays);
        }
    }

    /** The JDK of a client shows nobody a certificate that is signed by none whom the server names. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "expired | \"CN=expired\" has expired: it was valid until | has expired",
        "revoked | \"CN=revoked\" has been revoked | revoked",
        "itself | has shown no certificate that anybody vouches for | no certificate that the other side would trust",
    })
    void aClientsCertificateIsRefusedAndBothSidesSayWhy(String alias, String server, String client) throws IOException {
        for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
            String more = "&protocol=" + protocol;
            try (Handshake made = Handshake.of(CA.trust() + "&" + CA.proof(alias) + more,
                    revoked() + "&" + CA.proof("host") + more)) {
                says(server, made.serverSays);
                says(client, made.clientSays);
            }
        }
    }

    @Test
    void aClientWithoutACertificateIsToldThatItNeedsOne() throws IOException {
        try (Handshake made = Handshake.of(CA.trust(), CA.trust() + "&" + CA.proof("host"))) {
            says("no certificate that the other side would trust", made.clientSays);
            says("has shown no certificate", made.serverSays);
        }
    }

    @Test
    void sidesWithoutAVersionInCommonSaySo() throws IOException {
        try (Handshake made = Handshake.of(CA.trust() + "&protocol=TLSv1.2", CA.proof("host"))) {
            says("no version of TLS in common", made.clientSays);
        }
        Handshake.of(CA.trust() + "&protocol=TLSv1.2", CA.proof("host") + "&protocol=TLSv1.3,TLSv1.2").succeeds()
                .close();
    }

    @Test
    void aServerProvesTheNameThatIsAskedForAndShowsTheCertificateOfThatName() throws IOException {
        TlsKeys server = Handshake.keys(
                "keystore=" + CA.keystore("PKCS12", "one", "two") + "&" + CA.password());
        for (String alias : new String[] {"one", "two", "one"}) {
            TlsKeys client = Handshake.keys(CA.trust() + "&name=" + alias + ".example");
            try (Handshake made = new Handshake(client, server).succeeds()) {
                says("CN=" + alias, made.client.peerCertificates().get(0).getSubjectX500Principal().toString());
            }
        }
        try (Handshake made = new Handshake(Handshake.keys(CA.trust() + "&name=three.example"), server)) {
            says("three.example", made.clientSays);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aSecondConnectionResumesWhatTheFirstAgreedUpon(String protocol) throws IOException {
        TlsKeys client = Handshake.keys(CA.trust() + "&" + CA.proof("client") + "&protocol=" + protocol);
        TlsKeys server = Handshake.keys(CA.trust() + "&" + CA.proof("host") + "&protocol=" + protocol);
        try (Handshake first = new Handshake(client, server).succeeds()) {
            assertFalse(first.client.isResumed());
            assertFalse(first.server.isResumed());
        }
        try (Handshake second = new Handshake(client, server).succeeds()) {
            assertTrue(second.client.isResumed(), "the client's side");
            assertTrue(second.server.isResumed(), "the server's side");
            says("CN=client", second.server.peerCertificates().get(0).getSubjectX500Principal().toString());
        }
    }

    @Test
    void aKeyStoreThatHasChangedIsReadAgainAndResumesNothing() throws IOException {
        Path store = Files.copy(CA.keystore("JKS", "host"), folder.resolve("store"));
        TlsKeys server = Handshake.keys("keystore=" + store + "&truststore=" + store + "&" + CA.password());
        TlsKeys client = Handshake.keys(CA.trust() + "&" + CA.proof("client"));
        new Handshake(client, server).succeeds().close();
        Files.copy(CA.keystore("PKCS12", "expired"), store, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(store, FileTime.fromMillis(1));
        try (Handshake made = new Handshake(client, server)) {
            says("has expired", made.clientSays);
        }
    }

    @Test
    void aCertificateThatIsRevokedWhileItsSessionLivesIsRefusedFromThenOn() throws IOException {
        Path crl = Files.copy(CA.crl("revoked"), folder.resolve("crl"));
        TlsKeys server = Handshake.keys(CA.trust() + "&crl=" + crl + "&" + CA.proof("host"));
        try (Handshake made = new Handshake(Handshake.keys(CA.trust() + "&" + CA.proof("client")), server)
                .succeeds()) {
            Files.copy(CA.crl("client"), crl, StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(crl, FileTime.fromMillis(1));
            says("has been revoked", made.server.refusal());
        }
    }

    @Test
    void aListOfNobodyWhoIsTrustedTellsNothing() throws IOException {
        Path crl = Files.copy(CA.crl("revoked"), folder.resolve("crl"));
        Files.writeString(crl, "");
        assertTrue(assertThrows(IOException.class,
                () -> Handshake.keys(CA.trust() + "&crl=" + crl).read()).getMessage().contains(crl.toString()));
    }
}
