package org.jvrpc.hdfs;

import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;

/** What is known of a server's call queue from its configuration. */
final class QueueKind {

    private QueueKind() {
    }

    /**
     * Returns true when the queue of a port is one queue, so that its length says whether there is room; a fair queue
     * is several, of which one may be full when the whole is not.
     */
    static boolean isPlain(Configuration conf, int port) {
        String key = CommonConfigurationKeys.IPC_CALLQUEUE_IMPL_KEY;
        String plain = LinkedBlockingQueue.class.getName();
        String common = conf.get(CommonConfigurationKeys.IPC_NAMESPACE + "." + key, plain);
        return conf.get(CommonConfigurationKeys.IPC_NAMESPACE + "." + port + "." + key, common).equals(plain);
    }
}
