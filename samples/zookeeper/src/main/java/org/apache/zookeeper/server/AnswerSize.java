package org.apache.zookeeper.server;

import java.io.IOException;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.proto.GetACLRequest;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetDataRequest;

/**
 * How long the answer to a request will be, as far as the tree tells now: in bytes, with more for what takes longer to
 * write than its bytes do.
 */
final class AnswerSize {

    /** A header, a stat; a name, or an entry of an ACL, takes as long to write as so many bytes of data. */
    private static final int BYTES_PER_PART = 128;
    /** Children of which not all are looked at. */
    private static final int SOME_CHILDREN = 512;
    /** Of requests that only their processor knows. */
    private static final long UNKNOWN = 1 << 30;

    private AnswerSize() {
    }

    /** Returns the size of an answer. Any thread. */
    static long of(ZooKeeperServer server, int type, RequestRecord record) {
        try {
            return BYTES_PER_PART + switch (type) {
                case OpCode.getData -> data(node(server, record.readRecord(GetDataRequest::new).getPath()));
                case OpCode.getChildren ->
                    children(node(server, record.readRecord(GetChildrenRequest::new).getPath()));
                case OpCode.getChildren2 ->
                    children(node(server, record.readRecord(GetChildren2Request::new).getPath()));
                case OpCode.getACL -> acl(server, node(server, record.readRecord(GetACLRequest::new).getPath()));
                case OpCode.multiRead -> all(server, record.readRecord(MultiOperationRecord::new));
                case OpCode.getEphemerals -> UNKNOWN;
                default -> 0;
            };
        } catch (IOException | RuntimeException e) {
            return BYTES_PER_PART; // of an error, which the processor finds
        }
    }

    private static DataNode node(ZooKeeperServer server, String path) {
        return path == null ? null : server.getZKDatabase().getNode(path);
    }

    private static long data(DataNode node) {
        byte[] data = node == null ? null : node.data;
        return data == null ? 0 : data.length;
    }

    private static long children(DataNode node) {
        if (node == null) {
            return 0;
        }
        synchronized (node) {
            long bytes = 0;
            int seen = 0;
            for (String name : node.getChildren()) {
                bytes += BYTES_PER_PART + name.length();
                if (++seen == SOME_CHILDREN) {
                    return bytes * node.getChildren().size() / seen;
                }
            }
            return bytes;
        }
    }

    private static long all(ZooKeeperServer server, MultiOperationRecord reads) {
        long bytes = 0;
        for (Op read : reads) {
            DataNode node = node(server, read.getPath());
            bytes += BYTES_PER_PART + (read.getType() == OpCode.getData ? data(node) : children(node));
        }
        return bytes;
    }

    private static long acl(ZooKeeperServer server, DataNode node) {
        long bytes = 0;
        if (node != null) {
            for (ACL entry : server.getZKDatabase().aclForNode(node)) {
                bytes += BYTES_PER_PART + entry.getId().getId().length();
            }
        }
        return bytes;
    }
}
