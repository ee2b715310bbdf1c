package org.jvrpc.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** Sockets of the file system under the contract. */
interface UnixUnderTest extends RpcUnderTest {

    /** A folder of the test's process, and sockets in it. */
    final class Sockets {

        private static final AtomicInteger COUNT = new AtomicInteger();
        private static final Path FOLDER = make();

        private Sockets() {
        }

        private static Path make() {
            try {
                Path folder = Files.createTempDirectory("jvrpc-unix-");
                folder.toFile().deleteOnExit(); // servers take their sockets away
                return folder;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static String fresh() {
            return "unix://" + FOLDER.resolve(Integer.toString(COUNT.incrementAndGet()));
        }
    }

    @Override
    default String newAddress() {
        return Sockets.fresh();
    }

    @Override
    default int slower() {
        return 4;
    }

    /** What two processors move in a second or two. */
    @Override
    default long longestBody() {
        return 256L << 20;
    }
}
