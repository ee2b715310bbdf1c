package org.jvrpc.tools.watch.rperf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jvrpc.watch.probe.ProbeKeys;

/**
 * Where agents take commands, and by which key.
 *
 * @param host name or address
 * @param port 0 to 65535
 */
record Control(String host, int port) {

    private static final int MOST_PORT = 0xffff;
    /** On this host alone, where whoever may connect is a user of it. */
    private static final ProbeKeys OPEN = ProbeKeys.of(0, "jvrpc rperf, no key".getBytes(StandardCharsets.US_ASCII));

    /** Reads {@code host:port}; IPv6 in brackets. @throws IllegalArgumentException when it is none */
    static Control parse(String option, String word) {
        int colon = word.lastIndexOf(':');
        String host = colon < 1 ? "" : word.substring(0, colon);
        String port = word.substring(colon + 1);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.isEmpty() || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MOST_PORT
                || host.contains("/") || !bracketed && host.contains(":")) {
            throw new IllegalArgumentException(option + "=" + word + " is not such as 10.0.0.2:7480, or [::1]:7480");
        }
        return new Control(bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
    }

    InetAddress address() throws UnknownHostException {
        return InetAddress.getByName(host);
    }

    /**
     * Returns the keys of a file, or what holds on this host without one.
     *
     * @throws IllegalArgumentException for another host without a file
     * @throws UncheckedIOException when it cannot be read, or others can
     */
    static ProbeKeys keys(Path file, Iterable<Control> all) {
        try {
            if (file != null) {
                if (!Files.isRegularFile(file)) {
                    throw new IOException(file + (Files.exists(file) ? ": not a regular file" : ": no such file"));
                }
                Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
                if (rights.contains(PosixFilePermission.OTHERS_READ)) {
                    throw new IOException(file + " can be read by all users. Cure: chmod 600 " + file);
                }
                return ProbeKeys.read(file);
            }
            for (Control control : all) {
                if (!control.address().isLoopbackAddress()) {
                    throw new IllegalArgumentException(control.host + ":" + control.port
                            + " is not on this host's loopback: --key-file is needed, with a line id:hex of 16 bytes"
                            + " or more");
                }
            }
            return OPEN;
        } catch (IOException e) {
            throw new UncheckedIOException(e instanceof UnknownHostException ? "no such host: " + e.getMessage()
                    : e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }
}
