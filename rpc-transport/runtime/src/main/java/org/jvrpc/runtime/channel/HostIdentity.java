package org.jvrpc.runtime.channel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Which host this is, from one boot to the next: a hash of the machine's id and the boot's, neither of which is to be
 * published. Any thread.
 */
public final class HostIdentity {

    private static final Path MACHINE = Path.of("/etc/machine-id");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int BYTES = 16;

    private HostIdentity() {
    }

    /** Returns it as hexadecimal digits; empty where this host does not tell: then it is the same as no other. */
    public static String own() {
        return Holder.OWN;
    }

    private static final class Holder {
        static final String OWN = of(read(MACHINE), read(BOOT));
    }

    /** A machine's id may be missing, in containers; without a boot's there is no identity. */
    static String of(String machine, String boot) {
        if (boot.isEmpty()) {
            return "";
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(("jvrpc-host\n" + machine + "\n" + boot).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(hash, BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
