package org.jvrpc.fabric.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

class AllocationTest {

    private static final long MESSAGE = 1 << 16;
    private static final long STEP_NS = 1_000_000;
    private static final int HOSTS = 8;
    private static final int TRIES = 20;
    /** What the measurement itself may take, beside some hundred thousand events. */
    private static final long MOST_BYTES = 2_000;

    @Test
    void aRunInItsStrideAllocatesNothing() {
        Network network = new Network(1, false, 1024);
        Topology tiers = Topology.twoTier(network, Links.defaults(), new SwitchSettings()
                .marking(EcnMarking.SIGCOMM15), new NicSettings(), MESSAGE, 2, 2, HOSTS / 2);
        for (int host = 0; host < HOSTS; host++) {
            EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults()).withPort(host)
                    .withDcqcn(DcqcnParameters.SIGCOMM15);
            RcEndpoint.connect(
                    tiers.host(host).endpoint(settings, new Stream(Operation.WRITE, MESSAGE, Long.MAX_VALUE)),
                    tiers.host((host + HOSTS / 2) % HOSTS).endpoint(settings,
                            new Stream(Operation.WRITE, MESSAGE, 0)));
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        long hops = network.hops();
        for (int i = 0; i < TRIES && least > MOST_BYTES; i++) { // pools grow at first
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            network.events().runUntil(network.nowNs() + STEP_NS);
            least = Math.min(least, threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
        }
        assertTrue(network.hops() - hops > 10_000);
        long allocated = least;
        assertTrue(allocated <= MOST_BYTES, () -> "allocated=" + allocated);
    }
}
