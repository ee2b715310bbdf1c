package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jvrpc.testing.Processes;

/** Certificates and keys that a test makes, in PEM. */
final class TlsFiles {

    private static final String PASSWORD = "changeit";
    private static final TlsFiles OWN = make("127.0.0.1", "san=ip:127.0.0.1,dns:localhost");

    private final Path chain;
    private final Path key;

    private TlsFiles(Path chain, Path key) {
        this.chain = chain;
        this.key = key;
    }

    /** Those of this host. */
    static TlsFiles own() {
        return OWN;
    }

    /** Makes a certificate that is signed by itself. */
    static TlsFiles make(String name, String extension) {
        return make(name, extension, "-validity", "30");
    }

    /** Makes one of this host that is valid for so many seconds, from when it is made. */
    static TlsFiles expiring(int seconds) {
        return make("expiring", "san=ip:127.0.0.1", "-startdate", "-1d+" + seconds + "S", "-validity", "1");
    }

    private static TlsFiles make(String name, String extension, String... validity) {
        try {
            Path folder = Files.createTempDirectory("jvrpc-tls-");
            Path store = folder.resolve("store.p12");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
                    "own", "-keyalg", "EC", "-dname", "CN=" + name, "-ext", extension,
                    "-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
            command.addAll(List.of(validity));
            assertEquals(0, Processes.run(command.toArray(String[]::new)));
            KeyStore read = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                read.load(in, PASSWORD.toCharArray());
            }
            TlsFiles made = new TlsFiles(folder.resolve("chain.pem"), folder.resolve("key.pem"));
            write(made.chain, "CERTIFICATE", read.getCertificate("own").getEncoded());
            write(made.key, "PRIVATE KEY", read.getKey("own", PASSWORD.toCharArray()).getEncoded());
            for (Path file : new Path[] {made.chain, made.key, store, folder}) {
                file.toFile().deleteOnExit();
            }
            folder.toFile().deleteOnExit();
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static void write(Path file, String what, byte[] bytes) throws IOException {
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes)
                + "\n-----END " + what + "-----\n");
    }

    Path chain() {
        return chain;
    }

    Path key() {
        return key;
    }

    /** Returns what a side's address says that proves itself by these. */
    String proof() {
        return "chain=" + chain + "&key=" + key;
    }

    /** Returns what a side's address says that trusts these. */
    String trust() {
        return "trust=" + chain;
    }
}
