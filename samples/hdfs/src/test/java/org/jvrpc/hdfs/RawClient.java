package org.jvrpc.hdfs;

import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.RPC;
import org.jvrpc.runtime.RpcClient;

/** A session with a NameNode without Hadoop's client: it logs in, and calls by any number. */
final class RawClient implements AutoCloseable {

    static final byte[] LOCALHOST = {127, 0, 0, 1};

    private static final byte[] NOTHING = {};

    private final RpcClient client;
    private final NameNodeCalls calls;
    private final int port;
    private LoginReply reply;

    RawClient(MiniDFSCluster cluster) {
        port = cluster.getNameNodePort();
        client = RpcClient.builder("shm://hdfs-" + port).slots(4).connect();
        calls = client.stub(NameNodeCalls.class);
    }

    NameNodeCalls calls() {
        return calls;
    }

    long login(String user, String realUser, byte[] clientId) throws Exception {
        return login(user, realUser, clientId, LOCALHOST);
    }

    long login(String user, String realUser, byte[] clientId, byte[] server) throws Exception {
        reply = calls.login(new LoginRequest(RPC.getProtocolName(ClientNamenodeProtocolPB.class), 1, user, realUser,
                clientId, server, port));
        return reply.login();
    }

    private int number(String method) {
        return reply.methods().indexOf(method);
    }

    /** Asks for the status of the root: on the poller, where that need not wait. */
    void light(long login) throws Exception {
        try {
            lightOnly(login);
        } catch (LockedException e) {
            queued(login);
        }
    }

    /** Asks for the status of the root, on the poller. */
    void lightOnly(long login) throws Exception {
        calls.light(login, number("getFileInfo"), 1, 0, NOTHING, statusOfRoot());
    }

    /** Asks for the status of the root, through the call queue. */
    void queued(long login) throws Exception {
        calls.queued(login, number("getFileInfo"), 1, 0, NOTHING, statusOfRoot());
    }

    void mkdirs(long login, String path) throws Exception {
        calls.queued(login, number("mkdirs"), 1, -1, NOTHING, ByteBuffer.wrap(MkdirsRequestProto.newBuilder()
                .setSrc(path).setCreateParent(true).setMasked(FsPermissionProto.newBuilder().setPerm(0755)).build()
                .toByteArray()));
    }

    private static ByteBuffer statusOfRoot() {
        return ByteBuffer.wrap(GetFileInfoRequestProto.newBuilder().setSrc("/").build().toByteArray());
    }

    @Override
    public void close() {
        client.close();
    }
}
