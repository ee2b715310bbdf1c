package org.jvrpc.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ProcessCpuTest {

    @Test
    void shouldAddUserAndSystemTimeAlsoAfterANameWithBlanksAndParentheses() {
        String stat = "4711 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0 17 0 12345 1 2 3";
        assertEquals(1.75, ProcessCpu.parse(stat));
    }

    @Test
    void shouldReadTheTimeOfALivingProcess() throws IOException {
        assertTrue(ProcessCpu.seconds(ProcessHandle.current().pid()) > 0);
    }
}
