package org.jvrpc.runtime;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.runtime.contract.ServerProcess;

/** Shared memory between two processes under the contract: clients are in the test's, servers in a child. */
interface TwoProcesses extends ShmUnderTest {

    @RegisterExtension
    ServersOfClass SERVERS = new ServersOfClass();

    @Override
    default ServerProcess serverProcess() {
        return SERVERS.process();
    }

    /** More would be the processor's work and the memory's, not the transport's. */
    @Override
    default long longestBody() {
        return 64L << 20;
    }
}
