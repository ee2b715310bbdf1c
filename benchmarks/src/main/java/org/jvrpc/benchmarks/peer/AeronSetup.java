package org.jvrpc.benchmarks.peer;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;

/**
 * Aeron over IPC as it does best on two cores: the driver has no thread, the server's loop runs its duty cycle; clients
 * have no conductor threads; log buffers are small enough for the caches and touched beforehand, or every 64th message
 * takes a page fault.
 */
final class AeronSetup {

    static final String CHANNEL = "aeron:ipc";
    /** The least that a message carries. */
    static final int MIN_BYTES = 8;
    /** Server work between two duty cycles of the driver, under half a term, where publishers must wait. */
    static final int DUTY_MESSAGES = 512;
    static final int DUTY_BYTES = 256 * 1024;

    private static final int TERM_BYTES = 1 << 20;
    private static final int MTU_BYTES = 65504;
    /** A process that waits for its turn is stopped for longer than Aeron takes for a sign of life. */
    private static final long LIVENESS_S = 3600;

    private static final ErrorHandler PRINT = Throwable::printStackTrace;

    private AeronSetup() {
    }

    static int requestStream(int client) {
        return 1000 + client;
    }

    static int replyStream(int client) {
        return 2000 + client;
    }

    static MediaDriver launchDriver(String directory) {
        return MediaDriver.launchEmbedded(new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .dirDeleteOnStart(true)
                .warnIfDirectoryExists(false)
                .threadingMode(ThreadingMode.INVOKER)
                .termBufferSparseFile(false)
                .ipcTermBufferLength(TERM_BYTES)
                .ipcMtuLength(MTU_BYTES)
                .clientLivenessTimeoutNs(TimeUnit.SECONDS.toNanos(LIVENESS_S))
                .publicationUnblockTimeoutNs(TimeUnit.SECONDS.toNanos(LIVENESS_S + 10))
                .errorHandler(PRINT));
    }

    static Aeron connect(String directory, AgentInvoker driver) {
        return Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(directory)
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(driver)
                .driverTimeoutMs(TimeUnit.SECONDS.toMillis(LIVENESS_S))
                .preTouchMappedMemory(true)
                .errorHandler(PRINT));
    }
}
