package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.ServiceClass;

/**
 * What a REQ says. Resources and depth are the sender's own; private data is padded with zeroes to 56 bytes.
 *
 * @param service what the packets of both sides are to ask for
 */
public record ConnectRequest(long tid, int localId, long serviceId, long caGuid, int qpn, int startingPsn,
        int responderResources, int initiatorDepth, int pathMtu, int rnrRetry, int retryCount, int ackTimeout,
        boolean srq, int sourcePort, Gid source, Gid destination, ServiceClass service, byte[] privateData) {

    public ConnectRequest {
        Mad.checkPrivateData(privateData, Req.PRIVATE_BYTES);
    }

    /** Makes one that asks for no class of service. */
    public ConnectRequest(long tid, int localId, long serviceId, long caGuid, int qpn, int startingPsn,
            int responderResources, int initiatorDepth, int pathMtu, int rnrRetry, int retryCount, int ackTimeout,
            boolean srq, int sourcePort, Gid source, Gid destination, byte[] privateData) {
        this(tid, localId, serviceId, caGuid, qpn, startingPsn, responderResources, initiatorDepth, pathMtu, rnrRetry,
                retryCount, ackTimeout, srq, sourcePort, source, destination, ServiceClass.DEFAULT, privateData);
    }

    /** Returns the values of a REQ that {@link Req#check} accepted. */
    public static ConnectRequest decode(ByteBuffer mad) {
        return new ConnectRequest(Mad.tid(mad), Mad.localId(mad), Req.serviceId(mad), Req.caGuid(mad), Req.qpn(mad),
                Req.startingPsn(mad), Req.responderResources(mad), Req.initiatorDepth(mad), Req.pathMtu(mad),
                Req.rnrRetry(mad), Req.retryCount(mad), Req.ackTimeout(mad), Req.srq(mad),
                CmaHeader.sourcePort(mad, Req.CMA), CmaHeader.source(mad, Req.CMA),
                CmaHeader.destination(mad, Req.CMA), Req.service(mad), Mad.copy(mad, Req.PRIVATE, Req.PRIVATE_BYTES));
    }

    /** Returns the same with other ids. */
    public ConnectRequest withIds(long newTid, int newLocalId, long newCaGuid) {
        return new ConnectRequest(newTid, newLocalId, serviceId, newCaGuid, qpn, startingPsn, responderResources,
                initiatorDepth, pathMtu, rnrRetry, retryCount, ackTimeout, srq, sourcePort, source, destination,
                service, privateData);
    }

    public ByteBuffer encode() {
        return Req.write(this);
    }
}
