package org.jvrpc.benchmarks.redn;

import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** Hosts one lookup. */
public final class LookupServer implements ServerEnd {

    static final String NAME = "bench";

    private final LookupKind kind;
    private Device device;
    private OffloadHost host;

    /** A host of one kind of lookup. */
    public LookupServer(LookupKind kind) {
        this.kind = kind;
    }

    @Override
    public String start(Path directory, int clients) {
        return start("shm://bench-" + ProcessHandle.current().pid());
    }

    String start(String address) {
        device = Devices.open(address);
        MemoryRegion data = device.allocatePd().allocate(LookupData.BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
        LookupData.write(data.buffer(0, LookupData.BYTES), data.address());
        host = new OffloadHost(device, address);
        host.offer(new Offer(NAME, kind, data, 0));
        return host.address();
    }

    OffloadHost host() {
        return host;
    }

    @Override
    public void close() {
        host.close();
        device.close();
    }
}
