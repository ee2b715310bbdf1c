package org.apache.zookeeper.server;

import java.io.IOException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.server.ZooKeeperServer.MissingSessionException;
import org.apache.zookeeper.server.quorum.LearnerZooKeeperServer;

/**
 * The short way of requests through ZooKeeper's pipeline. A connection that has nothing in the pipeline has a light
 * read with a short answer answered by the thread that took it, as ZooKeeper's last processor does it, without the
 * threads in between; and a request for the pipeline goes to its first processor, without the throttler's thread. Both
 * only where nothing is throttled and nothing has to be authenticated first.
 *
 * <p>The order that ZooKeeper promises is kept: within a connection, because a read goes the short way only when all
 * before it is answered; within a session that comes back, because its first request goes through the throttler and
 * the pipeline, behind whatever its connections before have in them, and its reads go the short way only after that is
 * answered; between sessions, because writes change the tree and fire their watches under the lock of
 * {@code outstandingChanges}, which a read holds here, so that no one sees new data before the event of a watch on it.
 * The polling thread.
 */
final class ShortWay {

    /** The property that turns it off by {@code false}. */
    static final String PROPERTY = "jvrpc.zookeeper.shortWay";
    private static final int MAX_BYTES = 4096;
    /** The longest answer that the polling thread writes, under a lock of ZooKeeper's, while others wait. */
    private static final int MAX_ANSWER_BYTES = 1 << 16;
    /** What may be due at a time: more requests wait until there are answers. */
    private static final long MOST_DUE = 4 << 20;

    private final JvrpcServerCnxn cnxn;
    private final ZooKeeperServer server;
    private final boolean allowed;
    private FinalRequestProcessor last;
    private boolean longWay;
    /** True until the first request of a session that came back. */
    private boolean followsOthers;
    /** Bytes that the answers will have to what came since the connection had nothing in the pipeline. */
    private long due;

    ShortWay(JvrpcServerCnxn cnxn, ZooKeeperServer server) {
        this.cnxn = cnxn;
        this.server = server;
        this.allowed = Boolean.parseBoolean(System.getProperty(PROPERTY, "true"))
                && !Boolean.getBoolean(AuthenticationHelper.ENFORCE_AUTH_ENABLED)
                && !Boolean.getBoolean(AuthenticationHelper.SESSION_REQUIRE_CLIENT_SASL_AUTH);
    }

    /** Says that the session had connections before, which may have left requests. Before the first request. */
    void followOthers() {
        followsOthers = true;
    }

    /**
     * Has a request for the pipeline processed, if it may go this way.
     *
     * @param quiet true when the connection has nothing in the pipeline
     * @return false when it may not, and nothing was done: the caller goes the long way
     */
    boolean take(RequestHeader header, RequestRecord record, boolean quiet) throws IOException {
        int type = header.getType();
        long size = AnswerSize.of(server, type, record);
        due = quiet ? size : due + size;
        if (due > MOST_DUE) {
            cnxn.stopUntilAnswered();
        }
        // Nothing may overtake what is with the throttler still.
        longWay = followsOthers || !mayBeShort() || longWay && !quiet;
        followsOthers = false;
        if (longWay) {
            return false;
        }
        Request request = new Request(
                cnxn, cnxn.getSessionId(), header.getXid(), type, record, cnxn.getAuthInfo());
        request.setOwner(ServerCnxn.me);
        if (quiet && isLightRead(type) && record.limit() <= MAX_BYTES && size <= MAX_ANSWER_BYTES) {
            if (!hasSession(request)) {
                longWay = true;
                return false;
            }
            cnxn.incrOutstandingAndCheckThrottle(header);
            read(request);
        } else {
            cnxn.incrOutstandingAndCheckThrottle(header);
            submit(request);
        }
        return true;
    }

    private boolean mayBeShort() {
        return allowed && RequestThrottler.getMaxRequests() <= 0 && ZooKeeperServer.getThrottledOpWaitTime() <= 0
                && server.getLargeRequestThreshold() == -1;
    }

    private static boolean isLightRead(int type) {
        return type == OpCode.exists || type == OpCode.getData || type == OpCode.getChildren
                || type == OpCode.getChildren2 || type == OpCode.getACL;
    }

    private boolean hasSession(Request request) {
        try {
            server.touch(cnxn);
            if (!(server instanceof LearnerZooKeeperServer)) {
                server.sessionTracker.checkSession(request.sessionId, request.getOwner());
            }
            return true;
        } catch (MissingSessionException | KeeperException e) {
            return false; // the pipeline says it in ZooKeeper's words
        }
    }

    private void read(Request request) {
        if (last == null) {
            last = new FinalRequestProcessor(server);
        }
        server.incInProcess(); // the processor takes it back
        synchronized (server.outstandingChanges) {
            last.processRequest(request);
        }
    }

    /** As {@link ZooKeeperServer#submitRequestNow}, but counts a request before it may be answered, not after. */
    private void submit(Request request) throws IOException {
        RequestProcessor first = server.firstProcessor;
        if (first == null || !Request.isValid(request.type)) {
            now(request);
            return;
        }
        try {
            server.touch(cnxn);
        } catch (MissingSessionException e) {
            server.requestFinished(request); // dropped, as ZooKeeper does
            return;
        }
        server.setLocalSessionFlag(request);
        server.incInProcess();
        try {
            first.processRequest(request);
        } catch (RequestProcessor.RequestProcessorException e) {
            server.decInProcess();
            server.requestFinished(request);
            throw new IOException("request cannot be processed", e);
        }
    }

    private void now(Request request) throws IOException {
        try {
            server.submitRequestNow(request);
        } catch (RuntimeException e) {
            throw new IOException("ZooKeeperServer not running", e);
        }
    }
}
