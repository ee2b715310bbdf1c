package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;

/** Clients with chains of their own come and go, as they do at a host, and their domains leave nothing behind. */
class ChainLeakTest {

    private static final int ROUNDS = 500;

    private static long files(Path folder) throws IOException {
        try (var list = Files.list(folder)) {
            return list.count();
        }
    }

    private static void comeAndGo(SoftDevice device) {
        try (ProtectionDomain pd = device.allocatePd();
             CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofChains(64));
             Mlx5QueuePair qp = (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(cq, cq).crossChannel(true)
                     .managed(true, true).depth(64, 4).sges(1, 16));
             MemoryRegion code = qp.registerSendRing(pd, ChainEnd.ALL)) {
            qp.init();
            qp.connect(qp.endpoint());
            assertTrue(code.length() > 0);
        }
    }

    @Test
    void domainsWithChainsThatEndGiveTheirMemoryBack() throws IOException {
        try (SoftDevice device = (SoftDevice) ShmUnderTest.open()) {
            comeAndGo(device);
            long before = files(device.folder());
            for (int i = 0; i < ROUNDS; i++) {
                comeAndGo(device);
            }
            // One slab more: the one that pieces are taken from now.
            assertTrue(files(device.folder()) <= before + 1, "slabs: " + before + " became " + files(device.folder()));
            assertEquals(0, device.domains(), "domains that ended are known still");
            assertEquals(0, device.node().groups(), "groups of domains that ended are known still");
        }
    }
}
