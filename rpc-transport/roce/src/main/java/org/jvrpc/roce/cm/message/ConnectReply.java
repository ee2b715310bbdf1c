package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;

/** What a REP says. Resources and depth are the sender's own; private data is padded with zeroes to 196 bytes. */
public record ConnectReply(long tid, int localId, int remoteId, long caGuid, int qpn, int startingPsn,
        int responderResources, int initiatorDepth, int rnrRetry, boolean srq, byte[] privateData) {

    public ConnectReply {
        Mad.checkPrivateData(privateData, Rep.PRIVATE_BYTES);
    }

    /** Returns the values of a REP that {@link Rep#check} accepted. */
    public static ConnectReply decode(ByteBuffer mad) {
        return new ConnectReply(Mad.tid(mad), Mad.localId(mad), Mad.remoteId(mad), Rep.caGuid(mad), Rep.qpn(mad),
                Rep.startingPsn(mad), Rep.responderResources(mad), Rep.initiatorDepth(mad), Rep.rnrRetry(mad),
                Rep.srq(mad), Mad.copy(mad, Rep.PRIVATE, Rep.PRIVATE_BYTES));
    }

    /** Returns the same with other ids. */
    public ConnectReply withIds(long newTid, int newLocalId, int newRemoteId, long newCaGuid) {
        return new ConnectReply(newTid, newLocalId, newRemoteId, newCaGuid, qpn, startingPsn, responderResources,
                initiatorDepth, rnrRetry, srq, privateData);
    }

    public ByteBuffer encode() {
        return Rep.write(this);
    }
}
