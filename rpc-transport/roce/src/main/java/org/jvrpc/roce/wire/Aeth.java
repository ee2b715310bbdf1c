package org.jvrpc.roce.wire;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.WcStatus;

/**
 * ACK extended transport header.
 *
 * <pre>
 * 0 syndrome:8 | 1 MSN:24
 * </pre>
 * The syndrome: {@code 000 credits:5} acknowledges, where 31 credits say that there is no flow control by credits;
 * {@code 001 timer:5} is an RNR NAK; {@code 011 code:5} another NAK. Source: IBA volume 1, 9.7.5.2; tables 45 and 46.
 */
public final class Aeth {

    /** Bytes in the header. */
    public static final int BYTES = 4;
    /** Acknowledges, without credits. */
    public static final int ACK = 0x1f;
    /** A NAK: packets are missing. */
    public static final int NAK_SEQUENCE = 0x60;
    /** A NAK: the request makes no sense. */
    public static final int NAK_INVALID = 0x61;
    /** A NAK: the key refuses. */
    public static final int NAK_ACCESS = 0x62;
    /** A NAK: the responder has a fault of its own. */
    public static final int NAK_OPERATION = 0x63;
    /** An RNR NAK, with a code of {@link #rnrTimerNs} in its low bits. */
    public static final int RNR_NAK = 0x20;

    private static final int TYPE_MASK = 0xe0;
    private static final int CODE_MASK = 0x1f;
    private static final int ACK_TYPE = 0;
    private static final int NAK_TYPE = 0x60;
    private static final int MSN_MASK = 0xffffff;
    private static final int NS_A_UNIT = 10_000;
    /** Times by their codes, in units of 10 us. */
    private static final int[] RNR_TIMERS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152};

    private Aeth() {
    }

    public static void write(ByteBuffer packet, int at, int syndrome, int msn) {
        packet.putInt(at, syndrome << 24 | msn & MSN_MASK);
    }

    public static int syndrome(ByteBuffer packet, int at) {
        return packet.get(at) & 0xff;
    }

    /** Returns how many messages the responder has completed, modulo 2^24. */
    public static int msn(ByteBuffer packet, int at) {
        return packet.getInt(at) & MSN_MASK;
    }

    public static boolean isAck(int syndrome) {
        return (syndrome & TYPE_MASK) == ACK_TYPE;
    }

    public static boolean isRnrNak(int syndrome) {
        return (syndrome & TYPE_MASK) == RNR_NAK;
    }

    /** Returns true for a NAK that ends the connection. */
    public static boolean isFatal(int syndrome) {
        return (syndrome & TYPE_MASK) == NAK_TYPE && syndrome != NAK_SEQUENCE;
    }

    /** Returns how a request ends that draws a NAK; of one whose code is not known, with a bad response. */
    public static WcStatus status(int syndrome) {
        return switch (syndrome) {
            case NAK_INVALID -> WcStatus.REM_INV_REQ_ERR;
            case NAK_ACCESS -> WcStatus.REM_ACCESS_ERR;
            case NAK_OPERATION -> WcStatus.REM_OP_ERR;
            default -> WcStatus.BAD_RESP_ERR;
        };
    }

    /** Returns how long an RNR NAK has the requester wait, in nanoseconds: 10 us to 655.36 ms. */
    public static long rnrTimerNs(int syndrome) {
        return (long) RNR_TIMERS[syndrome & CODE_MASK] * NS_A_UNIT;
    }

    /** Returns the syndrome of the RNR NAK with the shortest time that is as long as this, or of the longest. */
    public static int rnrNak(long leastNs) {
        for (int code = 1; code < RNR_TIMERS.length; code++) {
            if ((long) RNR_TIMERS[code] * NS_A_UNIT >= leastNs) {
                return RNR_NAK | code;
            }
        }
        return RNR_NAK; // code 0 is the longest
    }
}
