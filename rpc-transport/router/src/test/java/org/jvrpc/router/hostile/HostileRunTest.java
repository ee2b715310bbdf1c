package org.jvrpc.router.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run of {@link HostileTenant}, always the same. */
final class HostileRunTest {

    /** A busy machine is not to be taken for a router that stands still. */
    private static final long STALL_NS = 5_000_000_000L;

    @TempDir
    private Path folder;

    @Test
    void neighboursNoticeNothingOfATenantThatWritesWhatItLikes() throws InterruptedException {
        assertEquals(List.of(), HostileTenant.run(folder, 18, new HostileTenant.Extent(1, 400_000, 4), STALL_NS));
    }
}
