package org.jvrpc.tcp.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jvrpc.testing.Processes;

/** Certificates of one authority that a test makes: good ones and others. */
public final class Authority {

    public static final Authority OWN = new Authority();
    static final String PASSWORD = "changeit";
    private static final String HOST = "san=ip:127.0.0.1,dns:localhost";

    private final Path folder = made();
    private final Path all = file("all.p12");
    private final KeyStore store;

    private Authority() {
        List<String> commands = new ArrayList<>();
        pair(commands, "ca", "bc:c", "-validity", "100");
        signed(commands, "host", HOST, "-validity", "30");
        signed(commands, "client", "san=dns:client.example", "-validity", "30");
        signed(commands, "one", "san=dns:one.example", "-validity", "30");
        signed(commands, "two", "san=dns:two.example", "-validity", "30");
        signed(commands, "expired", HOST, "-startdate", "-10d", "-validity", "5");
        signed(commands, "revoked", HOST, "-validity", "30");
        pair(commands, "itself", HOST, "-validity", "30");
        for (String alias : new String[] {"revoked", "client"}) {
            commands.addAll(List.of("--", "revoke", alias, all.toString(), PASSWORD, crl(alias).toString()));
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/sun.security.tools.keytool=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), KeytoolMain.class.getName()));
        command.addAll(commands);
        assertEquals(0, Processes.run(command.toArray(String[]::new)));
        try {
            store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(all)) {
                store.load(in, PASSWORD.toCharArray());
            }
            Files.writeString(file("password"), PASSWORD + "\n");
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path made() {
        try {
            Path folder = Files.createTempDirectory("jvrpc-ca-");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(String name) {
        Path file = folder.resolve(name);
        file.toFile().deleteOnExit();
        return file;
    }

    private void pair(List<String> commands, String alias, String extension, String... more) {
        commands.addAll(List.of("--", "-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname", "CN=" + alias, "-ext",
                extension, "-keystore", all.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        commands.addAll(List.of(more));
    }

    private void signed(List<String> commands, String alias, String extension, String... more) {
        pair(commands, alias, extension, more);
        commands.addAll(List.of("-signer", "ca"));
    }

    /** Returns the list in which one is revoked. */
    public Path crl(String alias) {
        return file("crl-" + alias);
    }

    /** Returns what an address says that proves itself by one of the certificates, in PEM. */
    public String proof(String alias) {
        Path chain = file("chain-" + alias);
        Path key = file("key-" + alias);
        try {
            StringBuilder text = new StringBuilder();
            for (Certificate each : store.getCertificateChain(alias)) {
                text.append(pem("CERTIFICATE", each.getEncoded()));
            }
            Files.writeString(chain, text);
            Files.writeString(key, pem("PRIVATE KEY", store.getKey(alias, PASSWORD.toCharArray()).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "chain=" + chain + "&key=" + key;
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    /** Returns what an address says that trusts the authority. */
    public String trust() {
        return "trust=" + pemOf("ca");
    }

    private Path pemOf(String alias) {
        Path file = file("trust-" + alias);
        try {
            Files.writeString(file, pem("CERTIFICATE", store.getCertificate(alias).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /** Returns what an address says besides a key store. */
    String password() {
        return "password-file=" + file("password");
    }

    /** Makes a key store of some certificates with their keys, and of the authority as one that is trusted. */
    Path keystore(String type, String... aliases) {
        Path file = file("store-" + type + String.join("-", aliases));
        char[] password = PASSWORD.toCharArray();
        try (OutputStream out = Files.newOutputStream(file)) {
            KeyStore made = KeyStore.getInstance(type);
            made.load(null, null);
            for (String alias : aliases) {
                made.setKeyEntry(alias, store.getKey(alias, password), password, store.getCertificateChain(alias));
            }
            made.setCertificateEntry("authority", store.getCertificate("ca"));
            made.store(out, password);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }
}
