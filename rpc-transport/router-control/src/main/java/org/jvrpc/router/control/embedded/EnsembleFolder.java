package org.jvrpc.router.control.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jvrpc.router.control.Codec;

/**
 * The files of an ensemble of one: its data, its key and certificate, and for each user a file with a line {@code
 * user:password}. What is there already stays as it is. One thread.
 *
 * <pre>
 * DIR/             mode 0700, as all files in it are 0600
 *     data/        what ZooKeeper keeps
 *     server.p12   key and certificate    server.password
 *     trust.pem    the certificate: for clients
 *     users/       admin.auth HOST.auth: a file is for its user alone
 * </pre>
 */
public final class EnsembleFolder {

    /** Who may change everything. */
    public static final String ADMIN = "admin";

    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final String SUFFIX = ".auth";
    private static final int SECRET_BYTES = 32;
    private static final int KEYTOOL_SECONDS = 60;
    private static final String DAYS = "3650";

    private final Path folder;
    private final SecureRandom random = new SecureRandom();

    private EnsembleFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens a folder, and makes what is missing in it.
     *
     * @param hosts that have to have passwords
     * @throws IOException when it cannot be made, or others than its user may enter it
     * @throws IllegalArgumentException for what is no host's name
     */
    public static EnsembleFolder open(Path folder, List<String> hosts) throws IOException, InterruptedException {
        return open(folder, hosts, InetAddress.getLoopbackAddress());
    }

    /** As above. @param address at which the server is to be found: its certificate has it */
    public static EnsembleFolder open(Path folder, List<String> hosts, InetAddress address)
            throws IOException, InterruptedException {
        for (String host : hosts) {
            if (Codec.host(host).equals(ADMIN)) {
                throw new IllegalArgumentException("host=" + host + " is the administrator's name");
            }
        }
        EnsembleFolder opened = new EnsembleFolder(folder.toAbsolutePath().normalize());
        opened.make();
        opened.makeKey(address);
        opened.check(address);
        opened.makeUser(ADMIN);
        for (String host : hosts) {
            opened.makeUser(host);
        }
        return opened;
    }

    private void make() throws IOException {
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER));
        } catch (FileAlreadyExistsException e) {
            Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(folder));
            others.removeAll(FOLDER);
            if (!others.isEmpty()) {
                throw new IOException("dir=" + folder + " may be entered by others than its user: chmod 700 " + folder,
                        e);
            }
        }
        for (Path inner : List.of(data(), folder.resolve("users"))) {
            if (!Files.isDirectory(inner)) {
                Files.createDirectory(inner, PosixFilePermissions.asFileAttribute(FOLDER));
            }
        }
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private void makeUser(String user) throws IOException {
        if (!Files.exists(authFile(user))) {
            write(authFile(user), user + ":" + secret() + "\n");
        }
    }

    /** A file is there as a whole or not at all. */
    private static void write(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(FILE));
        Files.writeString(next, text, StandardOpenOption.WRITE);
        Files.move(next, file);
    }

    private void makeKey(InetAddress address) throws IOException, InterruptedException {
        if (Files.exists(trustFile())) {
            return;
        }
        Path password = folder.resolve("server.password");
        Files.deleteIfExists(password);
        Files.deleteIfExists(keyFile());
        write(password, secret() + "\n");
        keytool("-genkeypair", "-alias", "ensemble", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", DAYS,
                "-dname", "CN=jvrpc-router-ensemble", "-ext", "san=ip:127.0.0.1,dns:localhost"
                + (address.isLoopbackAddress() ? "" : ",ip:" + address.getHostAddress()));
        Files.setPosixFilePermissions(keyFile(), FILE);
        Path next = folder.resolve("trust.new");
        keytool("-exportcert", "-alias", "ensemble", "-rfc", "-file", next.toString());
        Files.setPosixFilePermissions(next, FILE);
        Files.move(next, trustFile());
    }

    /** The certificate was made once, for the address of then. */
    private void check(InetAddress address) throws IOException {
        try (InputStream in = Files.newInputStream(trustFile())) {
            X509Certificate own = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            if (own.getSubjectAlternativeNames().stream().noneMatch(name -> name.contains(address.getHostAddress()))) {
                throw new IOException("certificate=" + trustFile() + " is not for address=" + address.getHostAddress()
                        + " but for " + own.getSubjectAlternativeNames() + ": remove it, and give routers the new one");
            }
        } catch (CertificateException e) {
            throw new IOException("certificate=" + trustFile() + ": " + e.getMessage(), e);
        }
    }

    private void keytool(String verb, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool")
                .toString(), verb));
        command.addAll(List.of(more));
        command.addAll(List.of("-keystore", keyFile().toString(), "-storetype", "PKCS12", "-storepass:file",
                folder.resolve("server.password").toString()));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        keytool.getOutputStream().close();
        try (InputStream said = keytool.getInputStream()) {
            String text = new String(said.readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!keytool.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new IOException("keytool " + verb + " for " + keyFile() + " ended with an error: " + text);
            }
        } finally {
            keytool.destroyForcibly();
        }
    }

    Path data() {
        return folder.resolve("data");
    }

    Path keyFile() {
        return folder.resolve("server.p12");
    }

    String keyPassword() throws IOException {
        return Files.readString(folder.resolve("server.password")).strip();
    }

    /** Returns the file by which clients trust the server. */
    public Path trustFile() {
        return folder.resolve("trust.pem");
    }

    /** Returns the file by which a user proves itself. */
    public Path authFile(String user) {
        return folder.resolve("users").resolve(user + SUFFIX);
    }

    /** Returns the users and their passwords. */
    Map<String, String> users() throws IOException {
        Map<String, String> users = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder.resolve("users"))) {
            for (Path file : files.filter(one -> one.toString().endsWith(SUFFIX)).toList()) {
                String line = Files.readString(file).strip();
                int colon = line.indexOf(':');
                String user = line.substring(0, Math.max(0, colon));
                if (!file.getFileName().toString().equals(user + SUFFIX)) {
                    throw new IOException(file + " is not of the user that its name says");
                }
                users.put(user, line.substring(colon + 1));
            }
        }
        return users;
    }

    /** Returns the hosts that have passwords. */
    public List<String> hosts() throws IOException {
        return users().keySet().stream().filter(user -> !user.equals(ADMIN)).toList();
    }
}
