package org.jvrpc.runtime;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.jvrpc.runtime.contract.ChildProcess;
import org.jvrpc.runtime.contract.ServerProcess;

/** The child in which the servers of a test class run: started by its first test, killed with its last. */
public final class ServersOfClass implements AfterAllCallback {

    private ChildProcess child;

    /** Returns it; another one when a test has killed it. */
    public synchronized ServerProcess process() {
        if (child == null || !child.isAlive()) {
            child = ChildProcess.start();
        }
        return child;
    }

    @Override
    public synchronized void afterAll(ExtensionContext context) {
        if (child != null) {
            child.kill();
            child = null;
        }
    }
}
