package org.jvrpc.tcp;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.runtime.ServersOfClass;
import org.jvrpc.runtime.contract.ServerProcess;

/** Streams between two processes under the contract: clients are in the test's, servers in a child. */
interface TwoTcpProcesses extends TcpUnderTest {

    @RegisterExtension
    ServersOfClass SERVERS = new ServersOfClass();

    @Override
    default ServerProcess serverProcess() {
        return SERVERS.process();
    }

    /** More would be the processors' work, and one process has it. */
    @Override
    default long longestBody() {
        return 16L << 20;
    }
}
