package org.jvrpc.hdfs;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Closes what stays connected until a process ends, at the end of each test class: proxies, and the file systems that
 * Hadoop keeps. So nothing is left in the class's folder of shared memory but what the plugin forgot. JUnit finds this
 * extension by itself.
 */
public final class ClosedClients implements AfterAllCallback {

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        Proxies.closeAll();
        FileSystem.closeAll();
    }
}
