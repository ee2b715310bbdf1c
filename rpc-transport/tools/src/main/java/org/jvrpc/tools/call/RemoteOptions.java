package org.jvrpc.tools.call;

import org.jvrpc.runtime.RpcClient;
import picocli.CommandLine.Parameters;

/** Which server, and as whom. */
final class RemoteOptions extends CallerOptions {

    @Parameters(index = "0", paramLabel = "ADDRESS",
            description = "Where the server is: shm://name, tcp://host:port, roce://host:port, rdma://host:port, list:…"
                + " and so on.")
    private String address;

    RemoteOptions() {
    }

    String address() {
        return address;
    }

    /** Connects. @throws org.jvrpc.api.RpcException when that fails */
    RpcClient connect() {
        return connect(address, 2);
    }
}
