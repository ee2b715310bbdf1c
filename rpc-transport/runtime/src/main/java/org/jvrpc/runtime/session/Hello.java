package org.jvrpc.runtime.session;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * What the two sides say when they connect, as private data of the connection: what the client asks for, and what the
 * server grants, which may be less. Little-endian.
 *
 * <pre>
 *  0 magic:32 | 4 highest version:16 | 6 units:16 | 8 unit bytes:32 | 12 one-way credits:32 | 16 max bytes:64
 * 24 session:64 | 32 lowest version:16 | 34 units at first:16 | 36 flags:8 | 37 … 39 zero
 * </pre>
 * Flags are 1 packed, 2 trailers, 4 gzip. Magic and highest version are where they have ever been, so that sides of any
 * two versions can tell each other's. What a later version appends is not read. A server that refuses sends
 * {@code 0 status:8 | 1 text in UTF-8}.
 *
 * @param protocol what the session carries
 * @param versions that the client speaks; in an answer the one that is used
 * @param units calls in flight, or pieces of frames under way each way, at most
 * @param firstUnits how many of them there are at first, up to all; a session of calls gets more when it needs them.
 *     0 on the wire says all, as those do that know of no others
 * @param unitBytes longest body without rendezvous, or longest piece of a frame
 * @param oneWayCredits one-way calls in flight, with the units of the first; 0 in a request
 * @param maxBytes longest body or frame that the sender takes
 * @param session number of the session on the server; 0 in a request
 * @param packed true when the client takes several answers in one message, see {@link RpcHeader#MORE}; in an answer,
 *     when the server takes several requests in one
 * @param trailers true when the client takes what travels beside answers, see {@link RpcHeader#TRAILERS}
 * @param gzip true when the client wants what carries the session to compress it; in an answer, when it does so
 */
public record Hello(
        Protocol protocol,
        Versions versions,
        int units,
        int firstUnits,
        int unitBytes,
        int oneWayCredits,
        long maxBytes,
        long session,
        boolean packed,
        boolean trailers,
        boolean gzip) {

    private static final int BYTES = 40;
    private static final int FLAGS = 36;
    private static final int PACKED = 1;
    private static final int TRAILERS = 2;
    private static final int GZIP = 4;
    /** Enough to tell protocol and version. */
    private static final int LEAST_BYTES = 8;

    /** Makes one whose sender takes no trailers. */
    public Hello(Protocol protocol, Versions versions, int units, int firstUnits, int unitBytes, int oneWayCredits,
            long maxBytes, long session, boolean packed) {
        this(protocol, versions, units, firstUnits, unitBytes, oneWayCredits, maxBytes, session, packed, false, false);
    }

    /** Makes one with all units at first. */
    public Hello(Protocol protocol, Versions versions, int units, int unitBytes, int oneWayCredits, long maxBytes,
            long session) {
        this(protocol, versions, units, units, unitBytes, oneWayCredits, maxBytes, session, false);
    }

    /** Makes what a client says that wants all units at first. */
    public static Hello request(Protocol protocol, int units, int unitBytes, long maxBytes) {
        return new Hello(protocol, protocol.versions(), units, units, unitBytes, 0, maxBytes, 0,
                protocol == Protocol.CALLS, protocol != Protocol.MESSAGES, false);
    }

    /** Returns the same with so many units at first, or all where there are fewer. */
    public Hello withFirst(int first) {
        return new Hello(protocol, versions, units, Math.min(first, units), unitBytes, oneWayCredits, maxBytes,
                session, packed, trailers, gzip);
    }

    /** Returns the same, compressed or not. */
    public Hello withGzip(boolean wanted) {
        return new Hello(protocol, versions, units, firstUnits, unitBytes, oneWayCredits, maxBytes, session, packed,
                trailers, wanted);
    }

    Hello withUnits(int newUnits, int newUnitBytes) {
        int first = firstUnits == units ? newUnits : Math.min(firstUnits, newUnits);
        return new Hello(
                protocol, versions, newUnits, first, newUnitBytes, oneWayCredits, maxBytes, session, packed,
                trailers, gzip);
    }

    /** Makes the answer to a request that was lessened to what is granted. */
    public Hello grant(long ownMaxBytes, long newSession) {
        int version = versions.common(protocol.versions());
        return new Hello(protocol, new Versions(version, version), units, firstUnits, unitBytes,
                protocol.oneWayCredits(firstUnits), ownMaxBytes, newSession, protocol == Protocol.CALLS);
    }

    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(protocol.magic())
                .putShort((short) versions.highest())
                .putShort((short) units)
                .putInt(unitBytes)
                .putInt(oneWayCredits)
                .putLong(maxBytes)
                .putLong(session)
                .putShort((short) versions.lowest())
                .putShort((short) (firstUnits == units ? 0 : firstUnits))
                .put((byte) ((packed ? PACKED : 0) | (trailers ? TRAILERS : 0) | (gzip ? GZIP : 0)))
                .array();
    }

    /**
     * Returns what the bytes say, or null when they are none of these. A hello of the time when there was one version
     * only is shorter: its version is both, and what is missing is 0.
     */
    public static Hello decode(byte[] bytes) {
        if (bytes.length < LEAST_BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(bytes, BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        Protocol protocol = Protocol.ofMagic(in.getInt());
        if (protocol == null) {
            return null;
        }
        int highest = in.getShort() & 0xffff;
        int lowest = bytes.length < BYTES ? highest : in.getShort(32) & 0xffff;
        int units = in.getShort() & 0xffff;
        int first = in.getShort(34) & 0xffff;
        return new Hello(protocol, new Versions(lowest, highest), units, first == 0 ? units : first, in.getInt(),
                in.getInt(), in.getLong(), in.getLong(), (in.get(FLAGS) & PACKED) != 0,
                (in.get(FLAGS) & TRAILERS) != 0, (in.get(FLAGS) & GZIP) != 0);
    }

    /** Returns why a server of a protocol cannot serve this client, or null when it can. */
    public static String refusal(Hello hello, Protocol served) {
        if (hello == null) {
            return "not a jvRPC client";
        }
        if (!served.serves(hello.protocol)) {
            return "server of " + served + ", not of " + hello.protocol;
        }
        if (hello.versions.common(hello.protocol.versions()) == Versions.NONE) {
            return "no protocol version in common: server speaks " + hello.protocol.versions() + ", client "
                    + hello.versions;
        }
        return hello.fits() && hello.maxBytes > 0 ? null
                : "client asks for what cannot be: " + hello.describe();
    }

    /** Returns why a client cannot use what a server granted, or null when it can. */
    public String mismatch(Hello granted) {
        if (granted == null || granted.protocol != protocol) {
            return "answers not as a server of " + protocol + ": " + granted;
        }
        if (granted.versions.common(versions) != granted.versions.highest()) {
            return "answers with version " + granted.versions + ", this side speaks " + versions;
        }
        boolean less = granted.units <= units && granted.unitBytes <= unitBytes
                && granted.firstUnits >= Math.min(firstUnits, granted.units);
        if (granted.gzip && !gzip) {
            return "compresses, which this side did not ask for";
        }
        return less && granted.fits() && granted.maxBytes > 0 && granted.oneWayCredits >= 0
                ? null : "grants " + granted.describe() + " to one who asks for " + describe();
    }

    private boolean fits() {
        return protocol.fits(units, unitBytes) && firstUnits <= units && (protocol.grows() || firstUnits == units);
    }

    private String describe() {
        boolean calls = protocol == Protocol.CALLS;
        return (calls ? "slots=" : "window=") + units + (firstUnits == units ? "" : " first=" + firstUnits)
                + (calls ? " slotBytes=" : " pieceBytes=") + unitBytes
                + (calls ? " maxBodyBytes=" : " maxFrameBytes=") + maxBytes;
    }

    /** Writes a refusal, cut to so many bytes, which the device's answers may hold. */
    public static byte[] refuse(Status status, String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, most - 1);
        while (length > 0 && length < bytes.length && (bytes[length] & 0xc0) == 0x80) {
            length--; // not within a character
        }
        return ByteBuffer.allocate(1 + length).put((byte) status.code()).put(bytes, 0, length).array();
    }

    /** Reads a refusal that ended in an exception, which may come from somebody who is no server of this kind. */
    public static RpcException refused(byte[] bytes, Exception e) {
        boolean known = bytes.length > 0 && bytes[0] > 0 && bytes[0] < Status.values().length;
        int from = known ? 1 : 0;
        String text = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
        return new RpcException(known ? Status.ofCode(bytes[0]) : Status.FAILED_PRECONDITION,
                e.getMessage() + (text.isEmpty() ? "" : ": " + text), e);
    }
}
