package org.jvrpc.tools.router.ctl.tenant;

import org.jvrpc.router.Quota;
import picocli.CommandLine.Option;

/** What of a quota is to be other than it is. */
final class QuotaOptions {

    @Option(names = "--devices", paramLabel = "N")
    private Integer devices;
    @Option(names = "--qps", paramLabel = "N")
    private Integer qps;
    @Option(names = "--cqs", paramLabel = "N")
    private Integer cqs;
    @Option(names = "--regions", paramLabel = "N")
    private Integer regions;
    @Option(names = "--bytes", paramLabel = "N", description = "Of all its memory.")
    private Long bytes;
    @Option(names = "--connections", paramLabel = "N")
    private Integer connections;
    @Option(names = "--listeners", paramLabel = "N")
    private Integer listeners;
    @Option(names = "--bytes-per-second", paramLabel = "N", description = "0: no limit.")
    private Long bytesPerSecond;
    @Option(names = "--wqes-per-second", paramLabel = "N", description = "0: no limit.")
    private Long wqesPerSecond;
    @Option(names = "--offload-wqes-per-second", paramLabel = "N", description = "0: no limit.")
    private Long offloadWqesPerSecond;
    @Option(names = "--weight", paramLabel = "1-100", description = "Its share while others are busy, too.")
    private Integer weight;

    /** @throws IllegalArgumentException for numbers that cannot be */
    Quota change(Quota was) {
        return new Quota(or(devices, was.devices()), or(qps, was.qps()), or(cqs, was.cqs()),
                or(regions, was.regions()), or(bytes, was.bytes()), or(connections, was.connections()),
                or(listeners, was.listeners()), or(bytesPerSecond, was.bytesPerSecond()),
                or(wqesPerSecond, was.wqesPerSecond()), or(offloadWqesPerSecond, was.offloadWqesPerSecond()),
                or(weight, was.weight()));
    }

    private static <T> T or(T chosen, T otherwise) {
        return chosen == null ? otherwise : chosen;
    }
}
