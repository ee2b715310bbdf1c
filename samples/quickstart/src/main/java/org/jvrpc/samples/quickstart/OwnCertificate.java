package org.jvrpc.samples.quickstart;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A certificate that is made for one run of both halves at {@code tls://HOST:PORT} without files, and its key: in a
 * folder of this user alone, which goes with the run. One thread.
 */
final class OwnCertificate implements AutoCloseable {

    private static final String SCHEME = "tls://";
    private static final String PASSWORD = "quickstart"; // of a file that only its owner can read, for seconds
    private static final long LIMIT_SECONDS = 60;

    private final Path folder;
    private final String address;

    private OwnCertificate(Path folder, String address) {
        this.folder = folder;
        this.address = address;
    }

    /** Makes one where the address needs it; else does nothing, and leaves the address as it is. */
    static OwnCertificate forAddress(String address) throws IOException, InterruptedException {
        if (address == null || !address.startsWith(SCHEME) || address.indexOf('?') >= 0) {
            return new OwnCertificate(null, address);
        }
        Path folder = Files.createTempDirectory("jvrpc-quickstart-"); // mode 0700
        OwnCertificate made = new OwnCertificate(folder, address);
        try {
            made.make(address.substring(SCHEME.length()).replaceFirst(":\\d*$", "").replaceAll("[\\[\\]]", ""));
            return made;
        } catch (GeneralSecurityException e) {
            made.close();
            throw new IOException("no certificate for " + address + ": " + e.getMessage(), e);
        } catch (IOException | InterruptedException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private void make(String host) throws GeneralSecurityException, IOException, InterruptedException {
        Path store = folder.resolve("store.p12");
        String kind = host.matches("[0-9.]+|.*:.*") ? "ip:" : "dns:";
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "own", "-keyalg", "EC", "-dname", "CN=quickstart", "-ext",
                "san=" + kind + host, "-validity", "2", "-storetype", "PKCS12", "-keystore", store.toString(),
                "-storepass", PASSWORD).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes());
        if (!keytool.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            keytool.destroyForcibly();
            throw new IOException("keytool makes no certificate for host=" + host + ": " + said.strip());
        }
        KeyStore read = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            read.load(in, PASSWORD.toCharArray());
        }
        write("chain.pem", "CERTIFICATE", read.getCertificate("own").getEncoded());
        write("key.pem", "PRIVATE KEY", read.getKey("own", PASSWORD.toCharArray()).getEncoded());
    }

    private void write(String name, String what, byte[] bytes) throws IOException {
        Path file = Files.createFile(folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes)
                + "\n-----END " + what + "-----\n", StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** Returns the address for the server, which proves itself. */
    String forServer() {
        return folder == null ? address
                : address + "?chain=" + folder.resolve("chain.pem") + "&key=" + folder.resolve("key.pem");
    }

    /** Returns the address for the client, which trusts that server alone. @param serving the server's, as it says */
    String forClient(String serving) {
        return folder == null ? serving
                : serving.substring(0, serving.indexOf('?')) + "?trust=" + folder.resolve("chain.pem");
    }

    @Override
    public void close() throws IOException {
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
