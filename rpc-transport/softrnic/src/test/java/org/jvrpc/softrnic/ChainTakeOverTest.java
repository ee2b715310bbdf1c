package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.softrnic.ChainEnd.Queue;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.host.ProcessId;

/** Memory of a queue that was closed while somebody was in the middle of a run, and may go on. */
class ChainTakeOverTest {

    private static final int OTHERS = 200;
    private static final int OTHER_BYTES = 64;

    private static long address(Queue queue) {
        return ((SoftQueuePair) queue.qp.control()).address();
    }

    @ParameterizedTest
    @CsvSource({"shm://any, false", "shm://any, true", "roce://127.0.0.1:1, false", "roce://127.0.0.1:1, true"})
    void whoMayGoOnWritesToMemoryThatNobodyElseGets(String device, boolean runs) {
        SharedMemoryFolder.path();
        try (ChainEnd end = new ChainEnd(Devices.open(device))) {
            Queue queue = end.loopback(8, false, true);
            long before = address(queue);
            if (runs) {
                ChainGroup group = ((SoftChains) end.chains).group();
                assertEquals(0, GroupContext.claim(((SoftDevice) end.device).arena()
                        .require(group.address(), GroupContext.BYTES, "group").window(group.address()),
                        group.context(), ProcessId.of(1)));
            }
            queue.code.close();
            queue.qp.close();
            boolean used = false;
            for (int i = 0; i < OTHERS; i++) {
                long other = end.pd.allocate(OTHER_BYTES, Access.LOCAL_WRITE).address();
                used |= other >= before && other < before + QpContext.BYTES;
            }
            assertEquals(!runs, used, "somebody else has the QP's memory");
        }
    }
}
