package org.apache.zookeeper.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ClientCnxn;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any frames at a connection of the plugin, {@code length:8 | bytes} each, before a server whose pipeline answers at
 * once, and whose reads that go the short way are ZooKeeper's own over an empty tree. No exception leaves the
 * connection; each request is answered once and in order, until the connection is closed; one that is not takes the
 * next good request. The first byte says whether the session is made first.
 */
final class JvrpcServerCnxnFuzz {

    private static final int ALL = 255;
    private static final int HEADER = 8;
    private static final int GOOD_XID = 99;
    private static final byte[] CONNECT = ByteBuffer.allocate(45).putInt(0).putLong(0).putInt(10_000).putLong(0)
            .putInt(16).put(new byte[16]).put((byte) 0).array();
    private static final byte[] EXISTS =
            ByteBuffer.allocate(14).putInt(GOOD_XID).putInt(OpCode.exists).putInt(1).putShort((short) 0x2f00).array();
    private static final Factory FACTORY = new Factory();
    private static final Server SERVER = new Server();

    private JvrpcServerCnxnFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        Peer peer = new Peer();
        if ((input[0] & 1) != 0) {
            peer.give(CONNECT);
        }
        for (int at = 1; at < input.length;) {
            int length = input[at++] & 0xff;
            length = length == ALL ? input.length - at : Math.min(length, input.length - at);
            byte[] frame = new byte[length];
            System.arraycopy(input, at, frame, 0, length);
            peer.give(frame);
            at += length;
        }
        peer.end();
    }

    /** A client, and its session. */
    private static final class Peer implements MessageSession {

        private final JvrpcServerCnxn cnxn = new JvrpcServerCnxn(SERVER, FACTORY);
        private final ArrayDeque<Integer> due = new ArrayDeque<>();
        private boolean connected;
        private boolean paused;
        private boolean closed;
        /** A request has the number of events, whose answers are not counted. */
        private boolean odd;
        private byte[] last;

        Peer() {
            cnxn.opened(this);
        }

        void give(byte[] frame) {
            if (closed || paused) {
                return;
            }
            if (!connected) {
                due.add(0);
            } else if (frame.length >= HEADER) {
                int xid = ByteBuffer.wrap(frame).getInt();
                odd |= xid == ClientCnxn.NOTIFICATION_XID;
                due.add(xid);
            }
            cnxn.frame(this, ByteBuffer.wrap(frame));
            connected |= due.isEmpty();
            FuzzCheck.that(closed || due.isEmpty(), "not answered, and not closed: " + due);
            FuzzCheck.that(closed || odd || !paused, "paused, and nothing is due");
        }

        void end() {
            if (!connected) {
                give(CONNECT);
            }
            if (!closed && !paused) {
                give(EXISTS);
                FuzzCheck.that(!closed && ByteBuffer.wrap(last).getInt() == GOOD_XID
                        && ByteBuffer.wrap(last).getInt(12) == 0, "a good request is not answered");
            }
            cnxn.closed(this, null);
            FuzzCheck.that(closed && cnxn.isStale() && FACTORY.cnxns.isEmpty(), "not closed");
        }

        @Override
        public boolean send(ByteBuffer... pieces) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (ByteBuffer piece : pieces) {
                byte[] some = new byte[piece.remaining()];
                piece.get(piece.position(), some);
                bytes.write(some, 0, some.length);
            }
            last = bytes.toByteArray();
            int xid = ByteBuffer.wrap(last).getInt();
            FuzzCheck.that(!closed && !due.isEmpty() && due.poll() == xid, "an answer to no request: xid=" + xid);
            return true;
        }

        @Override
        public void pause() {
            paused = true;
        }

        @Override
        public void resume() {
            paused = false;
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public long id() {
            return 1;
        }

        @Override
        public InetAddress peerHost() {
            return null;
        }

        @Override
        public int maxFrameBytes() {
            return 1 << 20;
        }

        @Override
        public long queuedBytes() {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return !closed;
        }

        @Override
        public Object attachment() {
            return null;
        }

        @Override
        public void attach(Object object) {
            // keeps nothing
        }
    }

    /** Answers all that comes into its pipeline, at once. */
    private static final class Server extends ZooKeeperServer {

        Server() {
            setZKDatabase(new ZKDatabase(null));
            sessionTracker = (SessionTracker) Proxy.newProxyInstance(SessionTracker.class.getClassLoader(),
                    new Class<?>[] {SessionTracker.class},
                    (proxy, method, arguments) -> method.getReturnType() == boolean.class ? true : null);
            firstProcessor = new RequestProcessor() {
                @Override
                public void processRequest(Request request) {
                    decInProcess();
                    answer(request.cnxn, request.cxid);
                }

                @Override
                public void shutdown() {
                    // holds nothing
                }
            };
        }

        private static void answer(ServerCnxn cnxn, int xid) {
            try {
                cnxn.sendResponse(new ReplyHeader(xid, 1, 0), null, null);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        void touch(ServerCnxn cnxn) {
            // sessions last for ever
        }

        @Override
        public void processConnectRequest(ServerCnxn cnxn, ConnectRequest request) {
            cnxn.setSessionId(1);
            cnxn.setSessionTimeout(request.getTimeOut());
            cnxn.sendBuffer(ByteBuffer.allocate(HEADER));
        }

        @Override
        public void processPacket(ServerCnxn cnxn, RequestHeader header, RequestRecord request) {
            cnxn.incrOutstandingAndCheckThrottle(header);
            answer(cnxn, header.getXid());
        }

        @Override
        public void submitRequestNow(Request request) {
            answer(request.cnxn, request.cxid); // of an unknown kind
        }
    }

    /** Has no address, and workers that are the caller. */
    private static final class Factory extends JvrpcServerCnxnFactory {

        private final ExecutorService here = new AbstractExecutorService() {
            @Override
            public void execute(Runnable task) {
                task.run();
            }

            @Override
            public void shutdown() {
                // runs nothing
            }

            @Override
            public List<Runnable> shutdownNow() {
                return Collections.emptyList();
            }

            @Override
            public boolean isShutdown() {
                return false;
            }

            @Override
            public boolean isTerminated() {
                return false;
            }

            @Override
            public boolean awaitTermination(long timeout, TimeUnit unit) {
                return true;
            }
        };

        @Override
        ExecutorService workers() {
            return here;
        }
    }
}
