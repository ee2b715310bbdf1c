package org.jvrpc.samples.zookeeper.own;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Which test classes of ZooKeeper's tests jar concern the plugin: those that have a server and do not name the NIO
 * classes. Read from the classes themselves, so that nothing is forgotten.
 */
final class Selection {

    static final String PREFIX = "org.apache.zookeeper.";

    private static final String REASONS = "left-out.properties";
    private static final List<String> BASES = List.of("ClientBase", "QuorumBase", "QuorumPeerTestBase");
    private static final List<String> SERVERS = List.of("org/apache/zookeeper/server/ServerCnxnFactory",
            "org/apache/zookeeper/test/QuorumUtil", "org/apache/zookeeper/test/ClientBase",
            "org/apache/zookeeper/test/QuorumBase", "org/apache/zookeeper/server/ZooKeeperServerMain",
            "server/embedded/ZooKeeperServerEmbedded", "server/quorum/QuorumPeerMain",
            "org/apache/zookeeper/server/quorum/QuorumPeerTestBase$MainThread");

    private final Path jar;
    private final Properties reasons = new Properties();

    Selection(Path jar) throws IOException {
        this.jar = jar;
        try (InputStream in = Selection.class.getResourceAsStream(REASONS)) {
            reasons.load(in);
        }
    }

    /** Returns the jar of this JVM's class path whose name matches. */
    static Path onClassPath(String pattern) {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (path.getFileName().toString().matches(pattern)) {
                return path;
            }
        }
        throw new IllegalStateException("not on the class path: " + pattern);
    }

    /** Returns each test class with the reason why it is left out, "" for those to be run. */
    Map<String, String> classes() throws IOException {
        Map<String, String> chosen = new TreeMap<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            List<String> names = classNames(file);
            for (String name : names) {
                if (name.endsWith("Test.class") && !name.contains("$")) {
                    String type = name.replace('/', '.').substring(0, name.length() - ".class".length());
                    String reason = reason(type, text(file, names, name));
                    if (reason != null) {
                        chosen.put(type, reason);
                    }
                }
            }
        }
        return chosen;
    }

    private static List<String> classNames(JarFile file) {
        return file.stream().map(JarEntry::getName).filter(name -> name.endsWith(".class")).toList();
    }

    /** Returns the tests of a class that are left out, by their names, with the reasons. */
    Map<String, String> testsLeftOut(String type) {
        Map<String, String> tests = new TreeMap<>();
        String prefix = type.replace(PREFIX, "") + ".";
        for (String key : reasons.stringPropertyNames()) {
            if (key.startsWith(prefix)) {
                tests.put(key.substring(prefix.length()), reasons.getProperty(key));
            }
        }
        return tests;
    }

    /** Returns what is in a class's file and in those nested in it, as text in which names can be found. */
    String text(String type) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return text(file, classNames(file), type.replace('.', '/') + ".class");
        }
    }

    /** Returns what is in a class file and in those nested in it, as text in which names can be found. */
    private static String text(JarFile file, List<String> names, String name) {
        String nested = name.replace(".class", "$");
        StringBuilder all = new StringBuilder();
        for (String other : names) {
            if (other.equals(name) || other.startsWith(nested)) {
                try (InputStream in = file.getInputStream(file.getJarEntry(other))) {
                    all.append(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return all.toString();
    }

    /** Returns why a class is left out, "" when it is run, null when it has no tests of its own. */
    private String reason(String name, String text) {
        Class<?> type;
        try {
            type = Class.forName(name, false, Selection.class.getClassLoader());
            if (Modifier.isAbstract(type.getModifiers())) {
                return null;
            }
        } catch (ClassNotFoundException | LinkageError e) {
            return "does not load: " + e;
        }
        String given = reasons.getProperty(name.replace(PREFIX, ""));
        if (given != null) {
            return given;
        }
        if (text.contains("NIOServerCnxn") || text.contains("ClientCnxnSocketNIO")) {
            return "names the NIO classes";
        }
        if (text.replace("X509Exception", "").contains("X509") || text.contains("ecureClientPort")) {
            return "about TLS, which the plugin leaves to the secure port";
        }
        if (name.contains("Netty")) {
            return "about Netty";
        }
        return hasServer(type, text) ? "" : "has no server: nothing of the plugin would run";
    }

    private static boolean hasServer(Class<?> type, String text) {
        for (Class<?> base = type.getSuperclass(); base != null; base = base.getSuperclass()) {
            if (BASES.contains(base.getSimpleName())) {
                return true;
            }
        }
        return SERVERS.stream().anyMatch(text::contains);
    }
}
