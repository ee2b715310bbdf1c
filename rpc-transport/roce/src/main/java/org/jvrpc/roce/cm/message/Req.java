package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.ServiceClass;

/**
 * Layout of REQ. Offsets from the MAD's body:
 *
 * <pre>
 *   0 local id:32 | 4 reserved:8 | 5 vendor:24 | 8 service id:64 | 16 CA GUID:64 | 28 Q_Key:32
 *  32 QPN:24, responder resources:8 | 36 EECN:24, initiator depth:8
 *  40 remote EECN:24, remote response timeout:5, transport:2, flow control:1
 *  44 starting PSN:24, local response timeout:5, retry count:3 | 48 P_Key:16
 *  50 path MTU:4, RDC:1, RNR retry:3 | 51 CM retries:4, SRQ:1, extended transport:3
 *  52 local LID:16 | 54 remote LID:16 | 56 local GID:128 | 72 remote GID:128
 *  88 flow label:20, reserved:6, rate:6 | 92 traffic class:8 | 93 hop limit:8 | 94 SL:4, subnet local:1, reserved:3
 *  95 local ACK timeout:5, reserved:3 | 96 alternate path:352 | 140 private data:92 bytes
 * </pre>
 *
 * <p>The starting PSN is that with which the receiver of the message begins. Source: Linux, core/cm.c.
 */
public final class Req {

    /** Bytes of private data behind the CMA header. */
    public static final int PRIVATE_BYTES = 56;

    static final int CMA = Mad.BODY + 140;
    static final int PRIVATE = CMA + CmaHeader.BYTES;
    private static final int SERVICE = Mad.BODY + 8;
    private static final int GUID = Mad.BODY + 16;
    private static final int QPN = Mad.BODY + 32;
    private static final int DEPTH = Mad.BODY + 36;
    private static final int TRANSPORT = Mad.BODY + 40;
    private static final int PSN = Mad.BODY + 44;
    private static final int PKEY = Mad.BODY + 48;
    private static final int MTU = Mad.BODY + 50;
    private static final int SRQ = Mad.BODY + 51;
    private static final int LIDS = Mad.BODY + 52;
    private static final int LOCAL_GID = Mad.BODY + 56;
    private static final int REMOTE_GID = Mad.BODY + 72;
    private static final int TRAFFIC_CLASS = Mad.BODY + 92;
    private static final int HOP_LIMIT = Mad.BODY + 93;
    private static final int LEVEL = Mad.BODY + 94;
    private static final int ACK_TIMEOUT = Mad.BODY + 95;
    private static final int RESPONSE_TIMEOUT = 20;
    private static final int CM_RETRIES = 15;
    private static final int HOPS = 64;
    private static final long TCP_SERVICE = 0x0106;

    private Req() {
    }

    static ByteBuffer write(ConnectRequest r) {
        ByteBuffer mad = Mad.create(Mad.REQ, r.tid());
        mad.putInt(Mad.BODY, r.localId()).putLong(SERVICE, r.serviceId()).putLong(GUID, r.caGuid());
        mad.putInt(QPN, r.qpn() << 8 | r.responderResources()).putInt(DEPTH, r.initiatorDepth());
        mad.putInt(TRANSPORT, RESPONSE_TIMEOUT << 3).putShort(PKEY, (short) -1);
        mad.putInt(PSN, r.startingPsn() << 8 | RESPONSE_TIMEOUT << 3 | r.retryCount());
        mad.put(MTU, (byte) (r.pathMtu() << 4 | r.rnrRetry()));
        mad.put(SRQ, (byte) (CM_RETRIES << 4 | (r.srq() ? 8 : 0)));
        mad.putInt(LIDS, -1).put(HOP_LIMIT, (byte) HOPS).put(ACK_TIMEOUT, (byte) (r.ackTimeout() << 3));
        mad.put(TRAFFIC_CLASS, (byte) r.service().trafficClass()).put(LEVEL, (byte) (r.service().level() << 4));
        r.source().write(mad, LOCAL_GID);
        r.destination().write(mad, REMOTE_GID);
        CmaHeader.write(mad, CMA, r.sourcePort(), r.source(), r.destination());
        return mad.put(PRIVATE, r.privateData());
    }

    /** Returns the service id of a port of RDMA_PS_TCP. */
    public static long serviceId(int port) {
        return TCP_SERVICE << 16 | port & 0xffff;
    }

    /** Checks a REQ whose header was accepted. {@code source} is that of the IP header. */
    public static Verdict check(ByteBuffer mad, Gid source) {
        if (Mad.localId(mad) == 0) {
            return Verdict.COMMUNICATION_ID;
        }
        if ((mad.getInt(TRANSPORT) >> 1 & 3) != 0 || (mad.get(SRQ) & 7) != 0) {
            return Verdict.TRANSPORT;
        }
        if (serviceId(mad) >>> 16 != TCP_SERVICE) {
            return Verdict.SERVICE_ID;
        }
        if (qpn(mad) <= 1) {
            return Verdict.QPN;
        }
        if (pathMtu(mad) < 1 || pathMtu(mad) > 5) {
            return Verdict.PATH_MTU;
        }
        if (!CmaHeader.isValid(mad, CMA)) {
            return Verdict.CMA_HEADER;
        }
        boolean same = localGid(mad).equals(source) && CmaHeader.source(mad, CMA).equals(source);
        return same ? Verdict.ACCEPTED : Verdict.GID;
    }

    public static long serviceId(ByteBuffer mad) {
        return mad.getLong(SERVICE);
    }

    public static long caGuid(ByteBuffer mad) {
        return mad.getLong(GUID);
    }

    public static int qpn(ByteBuffer mad) {
        return mad.getInt(QPN) >>> 8;
    }

    public static int responderResources(ByteBuffer mad) {
        return mad.getInt(QPN) & 0xff;
    }

    public static int initiatorDepth(ByteBuffer mad) {
        return mad.getInt(DEPTH) & 0xff;
    }

    public static int startingPsn(ByteBuffer mad) {
        return mad.getInt(PSN) >>> 8;
    }

    public static int retryCount(ByteBuffer mad) {
        return mad.getInt(PSN) & 7;
    }

    /** Returns the path MTU's code, 1 to 5 for 256 to 4096 bytes. */
    public static int pathMtu(ByteBuffer mad) {
        return mad.get(MTU) >> 4 & 0xf;
    }

    public static int rnrRetry(ByteBuffer mad) {
        return mad.get(MTU) & 7;
    }

    public static boolean srq(ByteBuffer mad) {
        return (mad.get(SRQ) & 8) != 0;
    }

    public static Gid localGid(ByteBuffer mad) {
        return Gid.read(mad, LOCAL_GID);
    }

    public static Gid remoteGid(ByteBuffer mad) {
        return Gid.read(mad, REMOTE_GID);
    }

    /** Returns what the packets of both sides are to ask for. */
    public static ServiceClass service(ByteBuffer mad) {
        return new ServiceClass(mad.get(LEVEL) >> 4 & 0xf, mad.get(TRAFFIC_CLASS) & 0xff);
    }

    public static int ackTimeout(ByteBuffer mad) {
        return mad.get(ACK_TIMEOUT) >> 3 & 0x1f;
    }
}
