package org.jvrpc.samples.zookeeper.network;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** A server and clients over RDMA: server at one device, clients at another. */
@Tag("device")
class RdmaPluginTest extends NetworkPluginContract {

    private static final String CLIENTS = "10.9.0.1";

    @BeforeAll
    static void needsTwoDevices() {
        for (String device : new String[] {"rxe0", "rxe1"}) {
            assumeTrue(Files.exists(Path.of("/sys/class/infiniband", device)), "this machine has no RDMA device "
                    + device + "; mvn -Prdma-vm verify runs this test in a virtual machine that has");
        }
    }

    @Override
    String servers() {
        return "rdma://10.9.0.2:{port}";
    }

    @Override
    String clients() {
        return servers() + "?from=" + CLIENTS;
    }

    @Override
    String clientHost() {
        return CLIENTS;
    }

    @Override
    String otherHost() {
        return "127.0.0.1";
    }
}
