package org.jvrpc.roce.congestion;

import java.util.List;

/** The named sets of parameters. */
final class FourSets {

    private FourSets() {
    }

    static List<DcqcnParameters> at(long lineBitsPerSecond) {
        return List.of(DcqcnParameters.SIGCOMM15, DcqcnParameters.NS3_RDMA, DcqcnParameters.NVIDIA,
                DcqcnParameters.hpcc(lineBitsPerSecond));
    }
}
