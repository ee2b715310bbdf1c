package org.jvrpc.router.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jvrpc.tcp.tls.TlsOptions;
import org.jvrpc.testing.Processes;

/** Certificates of routers that one authority has signed, made by a tool in a process of its own. */
public final class Certificates {

    private static final String PASSWORD = "changeit";
    private static final List<String> ROUTERS = List.of("h1", "h2", "h3");
    private static Certificates made;

    private final Path folder;
    private final KeyStore store;

    private Certificates() {
        try {
            folder = Files.createTempDirectory("jvrpc-router-ca-");
            folder.toFile().deleteOnExit();
            Path all = file("all.p12");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                    "--add-opens=java.base/sun.security.tools.keytool=ALL-UNNAMED", "-cp",
                    System.getProperty("java.class.path"), Certificates.class.getName(), all.toString()));
            if (Processes.run(command.toArray(String[]::new)) != 0) {
                throw new IllegalStateException("the tool made no certificates");
            }
            store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(all)) {
                store.load(in, PASSWORD.toCharArray());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns those of this process. */
    public static synchronized Certificates get() {
        if (made == null) {
            made = new Certificates();
        }
        return made;
    }

    /** The process. @param arguments the key store to be made */
    public static void main(String[] arguments) throws Exception {
        pair(arguments[0], "ca", "bc:c");
        for (String router : ROUTERS) {
            pair(arguments[0], router, "san=ip:127.0.0.1", "-signer", "ca");
        }
    }

    private static void pair(String file, String alias, String extension, String... more) throws Exception {
        List<String> all = new ArrayList<>(List.of("-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname",
                "CN=" + alias, "-ext", extension, "-keystore", file, "-storetype", "PKCS12", "-storepass", PASSWORD,
                "-validity", "30"));
        all.addAll(List.of(more));
        Class<?> tool = Class.forName("sun.security.tools.keytool.Main");
        Method run = tool.getDeclaredMethod("run", String[].class, PrintStream.class);
        run.setAccessible(true);
        var instance = tool.getDeclaredConstructor();
        instance.setAccessible(true);
        run.invoke(instance.newInstance(), all.toArray(String[]::new), System.out);
    }

    private Path file(String name) {
        Path file = folder.resolve(name);
        file.toFile().deleteOnExit();
        return file;
    }

    /** Returns how a router proves itself and knows others. */
    public TlsOptions options(String router) {
        try {
            Path chain = file("chain-" + router);
            Path key = file("key-" + router);
            Path trust = file("trust");
            StringBuilder text = new StringBuilder();
            for (Certificate each : store.getCertificateChain(router)) {
                text.append(pem("CERTIFICATE", each.getEncoded()));
            }
            Files.writeString(chain, text);
            Files.writeString(key, pem("PRIVATE KEY", store.getKey(router, PASSWORD.toCharArray()).getEncoded()));
            Files.writeString(trust, pem("CERTIFICATE", store.getCertificate("ca").getEncoded()));
            return TlsOptions.parse("?chain=" + chain + "&key=" + key + "&trust=" + trust);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    /** Returns what the control plane knows of a router's certificate. */
    public byte[] sha256(String router) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(store.getCertificate(router).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
