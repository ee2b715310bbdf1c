package org.jvrpc.samples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.samples.cookbook.servers.Tls;

/** Both sides prove themselves by certificates that keytool makes for the test. */
final class TlsTest {

    private static final String PASSWORD = "changeit"; // of files of this test alone

    @TempDir
    private Path folder;

    @Test
    void aHandlerKnowsWhoseCertificateItIs() throws Exception {
        make("server", "CN=vault", "dns:localhost");
        make("client", "CN=ann", "dns:ann.example");
        // Each is its own authority here: both are trusted.
        Files.writeString(folder.resolve("ca.pem"), Files.readString(folder.resolve("server.pem"))
                + Files.readString(folder.resolve("client.pem")));
        List<String> printed = Printed.by(Tls::main, folder.toString());
        assertEquals(1, printed.size(), printed.toString());
        assertTrue(printed.get(0).contains("CN=ann"), printed.toString());
    }

    private void make(String name, String owner, String alternative) throws Exception {
        Path store = folder.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", name,
                "-keyalg", "EC", "-dname", owner, "-ext", "san=" + alternative, "-validity", "2",
                "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes());
        assertTrue(keytool.waitFor(60, TimeUnit.SECONDS), "keytool does not end");
        assertEquals(0, keytool.exitValue(), said);
        KeyStore read = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            read.load(in, PASSWORD.toCharArray());
        }
        write(name + ".pem", "CERTIFICATE", read.getCertificate(name).getEncoded());
        write(name + ".key", "PRIVATE KEY", read.getKey(name, PASSWORD.toCharArray()).getEncoded());
    }

    private void write(String file, String what, byte[] bytes) throws IOException {
        Files.writeString(folder.resolve(file), "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what + "-----\n");
    }
}
