package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class CpuTimeTest {

    @Test
    void shouldAddUserAndSystemTimeAlsoAfterANameWithBlanksAndParentheses() {
        String stat = "4711 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0 17 0 12345 1 2 3";
        assertEquals(1.75, CpuTime.parseProcess(stat));
    }

    @Test
    void shouldLeaveIdleWaitingAndStolenTimeOut() {
        assertEquals(1.06, CpuTime.parseMachine("cpu  50 6 20 99999 8888 10 20 7777 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n"));
    }

    @Test
    void shouldReadTheTimesOfLivingProcesses() throws IOException {
        double own = CpuTime.ofProcess(ProcessHandle.current().pid());
        assertTrue(own > 0 && CpuTime.ofMachine() >= own, () -> "own=" + own);
        assertTrue(CpuTime.ofThisAndEnded() >= own, () -> "own=" + own);
        assertTrue(Others.begin().cpuFraction() >= 0);
    }
}
