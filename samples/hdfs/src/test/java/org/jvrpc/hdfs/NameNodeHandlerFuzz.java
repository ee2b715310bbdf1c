package org.jvrpc.hdfs;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.NullGroupsMapping;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any arguments of the calls of two sessions at a NameNode's handler, as the generated skeleton reads them: {@code
 * how:8 | (call:8 | length:8 | bytes) …}, where a length of 255 takes the rest. Each ends with an answer or a declared
 * exception that is no error of this side's code; no login counts that is not permitted; a call is served by a login of
 * its session only, and as that one's user; little is allocated. Who logs in well is served afterwards.
 */
public final class NameNodeHandlerFuzz {

    private static final int LOCAL = 1;
    private static final int UNKNOWN_HOST = 2;
    private static final int NOT_STARTED = 4;
    private static final int LOCKED = 8;
    private static final int ENDED = 16;
    private static final int ALL = 255;
    private static final int SESSIONS = 2;
    /** Stands for the NameNode's port, which the kernel chooses. */
    private static final int PORT = 8020;
    private static final int MAX_LOGINS = 64;
    private static final long VALID_NS = 3_600_000_000_000L;
    private static final int MAX_REQUEST_BYTES = 256;
    private static final int MAX_NAME_CHARS = 1024;
    private static final int MOST_BYTES = 4 << 20;
    private static final String PROTOCOL = RPC.getProtocolName(ClientNamenodeProtocolPB.class);
    private static final byte[] HERE = {127, 0, 0, 1};
    private static final byte[] NOTHING = {};
    private static final byte[] LOCATIONS = {10, 1, '/', 16, 0, 24, 1}; // of method 0
    private static final String SUPERUSER = "proxy";
    /** What only code that did not look throws. */
    private static final Set<String> CARELESS = Set.of("java.lang.NullPointerException",
            "java.lang.ClassCastException", "java.lang.ArrayIndexOutOfBoundsException",
            "java.lang.StringIndexOutOfBoundsException", "java.lang.IndexOutOfBoundsException",
            "java.lang.NegativeArraySizeException", "java.lang.OutOfMemoryError", "java.lang.StackOverflowError",
            "java.lang.AssertionError", "java.nio.BufferUnderflowException", "java.nio.BufferOverflowException");
    private static final ByteBuffer IN = ByteBuffer.allocateDirect(1 << 16);
    private static final ByteBuffer OUT = ByteBuffer.allocateDirect(1 << 20);
    private static RPC.Server server;
    private static BlockingService service;
    private static Gatekeeper gatekeeper;
    private static MethodTable methods;
    private static QueueDoor door;
    /** Whom the service was called by. */
    private static volatile String ranAs;

    private final int how;
    private final Call call = new Call();
    private final Logins logins = new Logins(MAX_LOGINS, VALID_NS);
    private final NameNodeHandler handler;
    private final Skeleton skeleton;
    /** By number: the user, and the session. */
    private final Map<Long, String> permitted = new HashMap<>();
    private boolean free;

    private NameNodeHandlerFuzz(int how) {
        this.how = how;
        this.free = (how & LOCKED) == 0;
        handler = new NameNodeHandler(new NameNodeHandler.Shared(server, service, null, gatekeeper, methods,
                () -> free, door, Runnable::run, MAX_REQUEST_BYTES, () -> call), logins, (how & LOCAL) != 0);
        skeleton = ServiceDescriptor.of(NameNodeService.class).skeleton(new Watched());
        if ((how & NOT_STARTED) == 0) {
            handler.start();
        }
    }

    public static void fuzzerInitialize() throws IOException {
        Configuration conf = new HdfsConfiguration();
        conf.setClass("hadoop.security.group.mapping", NullGroupsMapping.class,
                org.apache.hadoop.security.GroupMappingServiceProvider.class); // else each name starts a program
        conf.set("hadoop.proxyuser." + SUPERUSER + ".hosts", "*");
        conf.set("hadoop.proxyuser." + SUPERUSER + ".users", "*");
        use(conf);
        service = ClientNamenodeProtocol.newReflectiveBlockingService((ClientNamenodeProtocol.BlockingInterface)
                Proxy.newProxyInstance(NameNodeHandlerFuzz.class.getClassLoader(),
                        new Class<?>[] {ClientNamenodeProtocol.BlockingInterface.class},
                        (proxy, method, arguments) -> serve(method.getName(), method.getReturnType())));
        server = new ProtobufRpcEngine2().getServer(ClientNamenodeProtocolPB.class, service, "127.0.0.1", 0, 1, 1, -1,
                false, conf, null, null, null);
        server.start();
        gatekeeper = new Gatekeeper(ClientNamenodeProtocolPB.class, server, conf);
        methods = new MethodTable(service, true);
        door = new QueueDoor(server, 4, 1 << 16);
    }

    public static void fuzzerTearDown() {
        door.close();
        server.stop();
        use(new HdfsConfiguration());
    }

    private static void use(Configuration conf) {
        UserGroupInformation.setConfiguration(conf);
        Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
        ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
    }

    /** The service: it answers with nothing, or throws as services do. */
    private static Object serve(String method, Class<?> type) throws Exception {
        ranAs = UserGroupInformation.getCurrentUser().getUserName();
        switch (method) {
            case "create" -> throw new ServiceException(new IOException("not here"));
            case "append" -> throw new IllegalStateException("not now");
            default -> {
                return type.getMethod("getDefaultInstance").invoke(null);
            }
        }
    }

    public static void fuzzerTestOneInput(byte[] input) {
        FuzzCheck.allocates(MOST_BYTES, () -> new NameNodeHandlerFuzz(input.length == 0 ? 0 : input[0]).run(input));
        FuzzCheck.done();
    }

    private void run(byte[] input) {
        if ((how & NOT_STARTED) == 0) {
            for (int session = 1; session <= SESSIONS; session++) { // their numbers are those of their sessions
                FuzzCheck.that(logsInWell(session) == session, "another number");
            }
        }
        for (int at = 1; at + 1 < input.length;) {
            int which = input[at++];
            int length = input[at++] & 0xff;
            length = Math.min(length == ALL ? IN.capacity() : length, input.length - at);
            if ((which & 8) != 0) {
                logins.rulesChanged();
                permitted.clear();
            }
            dispatch(which & 3, 1 + (which >> 2 & 1), Arrays.copyOfRange(input, at, at + length));
            at += length;
        }
        handler.start();
        free = true;
        call.ended = false;
        servesWell(1, logsInWell(1));
        logins.end(1);
        logins.end(2);
        FuzzCheck.that(logins.size() == 0 && logins.sessionCount() == 0, "logins stay");
    }

    private void dispatch(int method, int session, byte[] bytes) {
        IN.put(0, bytes, 0, Math.min(bytes.length, IN.capacity()));
        call.begin(session, Math.min(bytes.length, IN.capacity()), (how & ENDED) != 0);
        try {
            skeleton.dispatch(method, call);
        } catch (RpcException e) {
            FuzzCheck.that(e.status() == Status.INTERNAL || e.status() == Status.UNIMPLEMENTED && method == 3, e);
        } catch (Throwable t) {
            throw new AssertionError("not declared: " + t, t);
        }
        if (call.ended) {
            logins.end(session); // as its server does
            permitted.values().removeIf(user -> user.endsWith("@" + session));
        }
    }

    private InetAddress host() {
        return (how & (LOCAL | UNKNOWN_HOST)) != 0 ? null : InetAddress.getLoopbackAddress();
    }

    // ---- what goes well

    /** Logs in at a place where that is allowed, whatever this handler's is like. */
    private long logsInWell(int session) {
        call.begin(session, 0, false);
        call.known = true;
        LoginReply reply = handler.login(new LoginRequest(PROTOCOL, 1, "user" + session, null, new byte[16], HERE,
                server.getPort())).join();
        call.known = false;
        permitted.put(reply.login(), "user" + session + "@" + session);
        return reply.login();
    }

    private void servesWell(int session, long login) {
        try {
            call.begin(session, 0, false);
            ByteBuffer light = handler.light(login, 0, 1, 0, NOTHING, ByteBuffer.wrap(LOCATIONS));
            FuzzCheck.that(light.remaining() == 0 && ranAs.equals("user" + session), ranAs);
            ranAs = null;
            ByteBuffer queued = handler.queued(login, 0, 1, 0, NOTHING, ByteBuffer.wrap(LOCATIONS))
                    .get(20, TimeUnit.SECONDS);
            FuzzCheck.that(queued.remaining() == 0 && ranAs.equals("user" + session), ranAs);
        } catch (Exception e) {
            throw new AssertionError("a good call is refused: " + e, e);
        }
    }

    // ---- what comes of the input

    /** The handler, and what must be true of each call. */
    private final class Watched implements NameNodeService {

        @Override
        public CompletableFuture<LoginReply> login(LoginRequest said) {
            LoginRequest request = said.port() != PORT ? said : new LoginRequest(said.protocol(), said.version(),
                    said.user(), said.realUser(), said.clientId(), said.server(), server.getPort());
            int before = logins.size();
            CompletableFuture<LoginReply> reply = handler.login(request);
            FuzzCheck.that(reply.isDone(), "a login that is not answered");
            reply.whenComplete((answer, thrown) -> {
                if (thrown != null) {
                    FuzzCheck.that(logins.size() <= before, "who is refused is logged in");
                    failed(thrown);
                    return;
                }
                FuzzCheck.that(isPermitted(request), request);
                FuzzCheck.that(logins.size() <= before + 1 && logins.size() <= MAX_LOGINS, logins.size());
                permitted.put(answer.login(), request.user() + "@" + call.sessionId());
            });
            return reply;
        }

        @Override
        public ByteBuffer light(long login, int method, int callId, int retry, byte[] header, ByteBuffer request)
                throws CallFailureException, StaleLoginException, LockedException {
            ranAs = null;
            try {
                ByteBuffer answer = handler.light(login, method, callId, retry, header, request);
                FuzzCheck.that(free && methods.find(method).light(), "not a light call");
                served(login);
                return answer;
            } catch (CallFailureException e) {
                failed(e);
                throw e;
            }
        }

        @Override
        public CompletableFuture<ByteBuffer> queued(
                long login, int method, int callId, int retry, byte[] header, ByteBuffer request)
                throws CallFailureException, StaleLoginException {
            ranAs = null;
            try {
                CompletableFuture<ByteBuffer> answer =
                        handler.queued(login, method, callId, retry, header, request);
                answer.handle((bytes, thrown) -> null).orTimeout(20, TimeUnit.SECONDS).join();
                if (answer.isCompletedExceptionally()) {
                    answer.whenComplete((bytes, thrown) -> failed(thrown));
                } else {
                    served(login);
                }
                return answer;
            } catch (CallFailureException e) {
                failed(e);
                throw e;
            }
        }
    }

    private void served(long login) {
        String user = permitted.get(login);
        FuzzCheck.that(user != null && user.equals(ranAs + "@" + call.sessionId()),
                "login=" + login + " of " + user + " served as " + ranAs + "@" + call.sessionId());
    }

    private static void failed(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        FuzzCheck.that(cause instanceof CallFailureException || cause instanceof NotServedHereException, cause);
        FuzzCheck.that(!(cause instanceof CallFailureException e && CARELESS.contains(e.className())), cause);
    }

    /** Says once more, in other words, who may log in. */
    private boolean isPermitted(LoginRequest request) {
        boolean here = (how & LOCAL) == 0 ? host() != null : isHere(request.server());
        return (how & NOT_STARTED) == 0 && request.protocol().equals(PROTOCOL) && request.version() == 1
                && request.clientId().length == 16 && !request.user().isEmpty()
                && request.user().length() <= MAX_NAME_CHARS
                && (request.realUser() == null || request.realUser().equals(SUPERUSER))
                && request.port() == server.getPort() && here;
    }

    private static boolean isHere(byte[] address) {
        try {
            InetAddress target = InetAddress.getByAddress(address);
            return target.isAnyLocalAddress() || Arrays.equals(target.getAddress(), HERE);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** A call of a session, and what a server knows of it. */
    private final class Call extends ServerCall {

        private final WireReader reader = new WireReader();
        private final WireWriter writer = new WireWriter();
        private long session;
        private boolean ended;
        private boolean known;

        void begin(long ofSession, int length, boolean hasEnded) {
            session = ofSession;
            ended = hasEnded;
            reader.reset(IN, 0, length, null);
            writer.reset(OUT, 0, OUT.capacity(), null, null);
        }

        @Override
        public WireReader arguments() {
            return reader;
        }

        @Override
        public WireWriter result() {
            return writer;
        }

        @Override
        public WireWriter exception(int number) {
            return writer;
        }

        @Override
        public <R> void completeLater(CompletionStage<R> stage, ResultWriter<R> resultWriter) {
            stage.whenComplete((result, thrown) -> {
                try {
                    resultWriter.write(this, result, thrown);
                } catch (Throwable t) {
                    FuzzCheck.that(false, t);
                }
            });
        }

        @Override
        public MethodDescriptor method() {
            return null;
        }

        @Override
        public Metadata metadata() {
            return new Metadata();
        }

        @Override
        public long remainingNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isCancelled() {
            return ended;
        }

        @Override
        public long sessionId() {
            return session;
        }

        @Override
        public InetAddress clientHost() {
            return known ? InetAddress.getLoopbackAddress() : host();
        }
    }
}
