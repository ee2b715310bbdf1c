package org.jvrpc.samples.quickstart;

import java.util.List;

/** What the script {@code run} has the JVMs do with AOT caches, of JDK 25 and later: see {@code aot.sh}. Any thread. */
final class AotCache {

    /** Flags of the server's JVM, one a line. */
    private static final String SERVER_FLAGS = "JVRPC_QUICKSTART_SERVER_JVM";
    /** Names the cache that this JVM was given. */
    private static final String FILE = "jvrpc.quickstart.aot";

    private AotCache() {
    }

    static List<String> serverFlags() {
        String flags = System.getenv(SERVER_FLAGS);
        return flags == null ? List.of() : flags.lines().filter(flag -> !flag.isBlank()).toList();
    }

    /** Returns true when the JVMs write caches at their end. */
    static boolean isRehearsal() {
        return serverFlags().stream().anyMatch(flag -> flag.startsWith("-XX:AOTCacheOutput="));
    }

    /** Returns what to say when this JVM was given a cache that it does not use; null when all is well. */
    static String complaint() {
        return complaint(System.getProperty(FILE), System.getProperty("java.vm.info", ""));
    }

    /** @param vmInfo "sharing" stands in it while classes come from an archive, which an unusable cache turns off */
    static String complaint(String file, String vmInfo) {
        return file == null || vmInfo.contains("sharing")
                ? null
                : "quickstart: ignored, as it is not for this JVM or damaged: AOT cache " + file
                        + ". Without it the next run makes a new one";
    }
}
