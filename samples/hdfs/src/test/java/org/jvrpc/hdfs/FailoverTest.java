package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Two NameNodes, and Hadoop's own failover over them. */
class FailoverTest {

    @Test
    void clientsMoveToTheOtherNameNode() throws Exception {
        Configuration conf = Cluster.conf();
        try (MiniDFSCluster cluster = Cluster.builder(conf)
                .nnTopology(MiniDFSNNTopology.simpleHATopology()).numDataNodes(0).build()) {
            cluster.transitionToActive(0);
            HATestUtil.setFailoverConfigurations(cluster, conf);
            try (FileSystem files = HATestUtil.configureFailoverFs(cluster, conf)) {
                assertTrue(files.mkdirs(new Path("/first")));
                standbyRefuses(cluster, conf);
                cluster.transitionToStandby(0);
                cluster.transitionToActive(1);
                assertTrue(files.mkdirs(new Path("/second"))); // by StandbyException
                cluster.transitionToStandby(1);
                cluster.transitionToActive(0);
                cluster.shutdownNameNode(1);
                assertNotNull(files.getFileStatus(new Path("/first"))); // by a connection that is gone
                assertTrue(files.mkdirs(new Path("/third")));
                assertEquals(3, files.listStatus(new Path("/")).length);
            }
        }
    }

    private static void standbyRefuses(MiniDFSCluster cluster, Configuration conf) throws IOException {
        ClientProtocol standby = Proxies.protocol(Proxies.jvrpc(cluster.getNameNode(1).getNameNodeAddress(),
                UserGroupInformation.getCurrentUser(), conf));
        RemoteException e = assertThrows(RemoteException.class, () -> standby.getFileInfo("/"));
        assertEquals(StandbyException.class.getName(), e.getClassName());
    }
}
