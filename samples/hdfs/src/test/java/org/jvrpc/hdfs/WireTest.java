package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcClient;

/** A NameNode and clients that do not keep to the rules. */
class WireTest {

    private static final byte[] NOTHING = {};
    private static final byte[] CLIENT = new byte[16];
    private static final byte[] LOCALHOST = {127, 0, 0, 1};

    private static MiniDFSCluster cluster;
    private static RpcClient client;
    private static NameNodeCalls calls;
    private static LoginReply login;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = Cluster.conf();
        conf.setInt(HdfsSettings.LOGIN_VALID_MS, 3_600_000); // one login for all tests
        cluster = Cluster.builder(conf).numDataNodes(0).build();
        port = cluster.getNameNodePort();
        client = RpcClient.connect("shm://hdfs-" + port);
        calls = client.stub(NameNodeCalls.class);
        login = calls.login(request(RPC.getProtocolName(ClientNamenodeProtocolPB.class), 1, CLIENT, port));
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.shutdown(true);
    }

    private static LoginRequest request(String protocol, long version, byte[] clientId, int toPort) {
        return new LoginRequest(protocol, version, System.getProperty("user.name"), null, clientId, LOCALHOST, toPort);
    }

    private static int number(String method) {
        return login.methods().indexOf(method);
    }

    private static byte[] statusOfRoot(byte[] header) throws Exception {
        ByteBuffer request = ByteBuffer.wrap(GetFileInfoRequestProto.newBuilder().setSrc("/").build().toByteArray());
        try {
            return calls.light(login.login(), number("getFileInfo"), 1, 0, header, request).array();
        } catch (LockedException e) { // by a thread of the NameNode's own
            return calls.queued(login.login(), number("getFileInfo"), 1, 0, header, request.rewind()).array();
        }
    }

    private static void stillServes() throws Exception {
        assertNotNull(GetFileInfoResponseProto.parseFrom(statusOfRoot(NOTHING)).getFs());
    }

    @Test
    void aMethodThatIsNotThereIsRefused() throws Exception {
        for (int number : new int[] {-1, login.methods().size(), Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            CallFailureException e = assertThrows(CallFailureException.class,
                    () -> calls.light(login.login(), number, 1, 0, NOTHING, ByteBuffer.allocate(0)));
            assertEquals(RpcNoSuchMethodException.class.getName(), e.className());
            assertEquals(RpcErrorCodeProto.ERROR_NO_SUCH_METHOD_VALUE, e.code());
            assertThrows(CallFailureException.class,
                    () -> calls.queued(login.login(), number, 1, 0, NOTHING, ByteBuffer.allocate(0)));
        }
        stillServes();
    }

    @Test
    void aLoginThatNobodyMadeIsStale() throws Exception {
        long good = login.login();
        for (long bad : new long[] {0, good ^ 1L << 40, good | 0xffff, good | 0x8000_0000L}) {
            assertThrows(StaleLoginException.class, () -> calls.light(bad, 0, 1, 0, NOTHING, ByteBuffer.allocate(0)));
            assertThrows(StaleLoginException.class, () -> calls.queued(bad, 0, 1, 0, NOTHING, ByteBuffer.allocate(0)));
        }
        stillServes();
    }

    @Test
    void whatMayBlockIsNeverRunByThePoller() {
        CallFailureException e = assertThrows(CallFailureException.class,
                () -> calls.light(login.login(), number("mkdirs"), 1, 0, NOTHING, ByteBuffer.allocate(0)));
        assertTrue(e.text().contains("mkdirs is not a light method"), e.text());
        for (String writes : new String[] {"create", "delete", "addBlock", "getContentSummary", "saveNamespace"}) {
            assertEquals(false, login.light()[number(writes)], writes);
        }
    }

    @Test
    void wrongLoginsAreRefused() {
        String name = RPC.getProtocolName(ClientNamenodeProtocolPB.class);
        CallFailureException version =
                assertThrows(CallFailureException.class, () -> calls.login(request(name, 2, CLIENT, port)));
        assertEquals(RPC.VersionMismatch.class.getName(), version.className());
        CallFailureException protocol =
                assertThrows(CallFailureException.class, () -> calls.login(request("other", 1, CLIENT, port)));
        assertEquals(RPC.VersionMismatch.class.getName(), protocol.className());
        CallFailureException shortId =
                assertThrows(CallFailureException.class, () -> calls.login(request(name, 1, new byte[3], port)));
        assertTrue(shortId.text().contains("bytes=16"), shortId.text());
        CallFailureException user = assertThrows(CallFailureException.class, () -> calls.login(
                new LoginRequest(name, 1, "x".repeat(2000), null, CLIENT, LOCALHOST, port)));
        assertTrue(user.text().contains("chars=2000"), user.text());
        NotServedHereException place =
                assertThrows(NotServedHereException.class, () -> calls.login(request(name, 1, CLIENT, port + 1)));
        assertTrue(place.getMessage().contains("reached the one at 127.0.0.1 port=" + port), place.getMessage());
    }

    @Test
    void equalLoginsHaveOneNumber() throws Exception {
        LoginReply again = calls.login(request(RPC.getProtocolName(ClientNamenodeProtocolPB.class), 1, CLIENT, port));
        assertEquals(login.login(), again.login());
    }

    /** Returns bytes that neither method takes as a request: one in some thousands begins with a path. */
    private static byte[] noMessage(Random random) {
        while (true) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            try {
                GetFileInfoRequestProto.parseFrom(bytes);
            } catch (InvalidProtocolBufferException e) {
                return bytes;
            }
        }
    }

    @Test
    void bytesThatAreNoMessageEndTheirCallOnly() throws Exception {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 300; i++) {
            byte[] bytes = noMessage(random);
            byte[] header = new byte[random.nextInt(3) == 0 ? random.nextInt(40) : 0];
            random.nextBytes(header);
            String method = random.nextBoolean() ? "getFileInfo" : "getContentSummary";
            try {
                ByteBuffer request = ByteBuffer.wrap(bytes);
                ByteBuffer ignored = method.equals("getFileInfo")
                        ? calls.light(login.login(), number(method), i, 0, header, request)
                        : calls.queued(login.login(), number(method), i, 0, header, request);
                assertNotNull(ignored);
            } catch (LockedException e) {
                i--;
            } catch (CallFailureException e) {
                refused++;
                assertTrue(!e.className().startsWith("java.lang"), e.getMessage());
            }
        }
        assertEquals(300, refused);
        CallFailureException e = assertThrows(CallFailureException.class, () -> calls.queued(
                login.login(), number("getFileInfo"), 1, 0, NOTHING, ByteBuffer.wrap(new byte[] {10, 127, 1})));
        assertEquals(RpcServerException.class.getName(), e.className());
        stillServes();
    }

    @Test
    void callsBeforeTheServerIsStartedAreToBeRepeated() throws Exception {
        JvrpcRpcEngine engine = new JvrpcRpcEngine();
        RPC.Server server = engine.getServer(ClientNamenodeProtocolPB.class, idleService(), "127.0.0.1", 0, 1, -1, -1,
                false, Cluster.conf(), null, null, null);
        try (RpcClient early = RpcClient.connect("shm://hdfs-" + server.getPort())) {
            NameNodeCalls earlyCalls = early.stub(NameNodeCalls.class);
            LoginRequest request = request(
                    RPC.getProtocolName(ClientNamenodeProtocolPB.class), 1, CLIENT, server.getPort());
            CallFailureException e = assertThrows(CallFailureException.class, () -> earlyCalls.login(request));
            assertEquals(RetriableException.class.getName(), e.className());
            server.start();
            assertNotNull(earlyCalls.login(request));
        } finally {
            server.stop();
        }
    }

    /** Makes a service of the protocol that is never called. */
    static Object idleService() {
        Object implementation = Proxy.newProxyInstance(WireTest.class.getClassLoader(),
                new Class<?>[] {ClientNamenodeProtocol.BlockingInterface.class}, (proxy, method, args) -> null);
        return ClientNamenodeProtocol.newReflectiveBlockingService(
                (ClientNamenodeProtocol.BlockingInterface) implementation);
    }
}
