package org.jvrpc.benchmarks.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate of this host with its key, made for a run, as a key store that clients trust as well. */
public record TlsStore(Path file, Path passwordFile) {

    private static final String PASSWORD = "benchmark";

    /** Makes one in a folder. */
    public static TlsStore make(Path directory) throws IOException {
        TlsStore made = in(directory);
        Files.writeString(made.passwordFile, PASSWORD);
        keytool("-genkeypair", "-alias", "own", "-keyalg", "EC", "-dname", "CN=localhost", "-ext",
                "san=ip:127.0.0.1,dns:localhost", "-validity", "2", "-storetype", "PKCS12", "-keystore",
                made.file.toString(), "-storepass", PASSWORD);
        return made;
    }

    /** Writes the certificate to a file, in PEM, and returns that. */
    public Path export(Path pem) throws IOException {
        keytool("-exportcert", "-rfc", "-alias", "own", "-keystore", file.toString(), "-storepass", PASSWORD, "-file",
                pem.toString());
        return pem;
    }

    private static void keytool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(0, Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes());
        try {
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool: " + said);
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    /** Returns that which was made in a folder. */
    static TlsStore in(Path directory) {
        return new TlsStore(directory.resolve("tls.p12"), directory.resolve("tls.password"));
    }

    private KeyStore open() throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    KeyManagerFactory keys() throws IOException {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(open(), PASSWORD.toCharArray());
            return factory;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    TrustManagerFactory trust() throws IOException {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("own", open().getCertificate("own"));
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    SSLContext context() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys().getKeyManagers(), trust().getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }
}
