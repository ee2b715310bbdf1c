package org.jvrpc.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads {@code user:password} from a file. No message has a part of what stands in it. Any thread. */
final class Credentials {

    private static final Logger LOG = LoggerFactory.getLogger(Credentials.class);
    private static final int MAX_BYTES = 1024;
    private static final Set<PosixFilePermission> OF_OTHERS =
            EnumSet.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private Credentials() {
    }

    /** Returns the bytes of the first line, as ZooKeeper's scheme {@code digest} wants them. */
    static byte[] read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        String text = new String(bytes, StandardCharsets.UTF_8).strip();
        int colon = text.indexOf(':');
        if (bytes.length > MAX_BYTES || colon < 1 || colon == text.length() - 1 || text.indexOf('\n') >= 0) {
            throw new IOException("auth-file=" + file + " is not one line user:password of at most " + MAX_BYTES
                    + " bytes");
        }
        if (isOfOthers(file)) {
            LOG.warn("auth-file={} may be read or written by every user of this host: chmod o-rw", file);
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isOfOthers(Path file) throws IOException {
        try {
            return Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains);
        } catch (UnsupportedOperationException e) {
            return false; // a file system without them
        }
    }
}
