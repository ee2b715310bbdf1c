package org.jvrpc.runtime.roce;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.runtime.RoceUnderTest;
import org.jvrpc.runtime.ServersOfClass;
import org.jvrpc.runtime.contract.ServerProcess;

/** Packets between two processes under the contract: clients are in the test's, servers in a child. */
interface TwoRoceProcesses extends RoceUnderTest {

    @RegisterExtension
    ServersOfClass SERVERS = new ServersOfClass();

    @Override
    default ServerProcess serverProcess() {
        return SERVERS.process();
    }

    /** More would be the processors' work, and one process has it. */
    @Override
    default long longestBody() {
        return 4L << 20;
    }
}
