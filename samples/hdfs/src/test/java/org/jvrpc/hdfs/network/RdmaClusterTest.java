package org.jvrpc.hdfs.network;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** A cluster over RDMA: the NameNode at one device, clients at another. */
@Tag("device")
class RdmaClusterTest extends NetworkClusterContract {

    private static final String CLIENTS = "10.9.0.2";

    @BeforeAll
    @Override
    void start() throws IOException {
        for (String device : new String[] {"rxe0", "rxe1"}) {
            assumeTrue(Files.exists(Path.of("/sys/class/infiniband", device)), "this machine has no RDMA device "
                    + device + "; mvn -Prdma-vm verify runs this test in a virtual machine that has");
        }
        super.start();
    }

    @Override
    String server() {
        return "rdma://10.9.0.1:{port}";
    }

    @Override
    String client() {
        return server() + "?from=" + CLIENTS;
    }

    @Override
    String clientHost() {
        return CLIENTS;
    }

    @Override
    int port() {
        return 0;
    }
}
