package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The command over RDMA: server at one device, clients at another. */
@Tag("device")
final class QuickstartRdmaTest extends QuickstartNetworkContract {

    private static int port = 27_471;

    @BeforeAll
    static void needsTwoDevices() {
        for (String device : new String[] {"rxe0", "rxe1"}) {
            assumeTrue(Files.exists(Path.of("/sys/class/infiniband", device)), "this machine has no RDMA device "
                    + device + "; mvn -Prdma-vm verify runs this test in a virtual machine that has");
        }
    }

    @Override
    String newAddress() {
        return "rdma://10.9.0.1:" + port++;
    }

    @Override
    String fromClient(String address) {
        return address + "?from=10.9.0.2";
    }

    /** An emulated machine makes its first calls after some seconds. */
    @Override
    int seconds() {
        return 8;
    }
}
