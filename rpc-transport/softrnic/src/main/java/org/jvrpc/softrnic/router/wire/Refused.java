package org.jvrpc.softrnic.router.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A command that was not done.
 *
 * @param reason number of the router's refusal, see the constants
 * @param message with the values; printable ASCII
 */
public record Refused(int reason, String message) {

    // The order is that of the router's refusals; what is missing says that it does not work now.
    /** What was said is no frame. */
    public static final int BAD_FRAME = 0;
    /** The versions have none in common. */
    public static final int VERSION = 1;
    /** Nobody knows the tenant. */
    public static final int NO_TENANT = 2;
    /** The process is another user's than the tenant. */
    public static final int WRONG_USER = 3;
    /** The token is none of the tenant's. */
    public static final int TOKEN_WRONG = 4;
    /** The token is too old. */
    public static final int TOKEN_EXPIRED = 5;
    /** The tenant would have more than it may. */
    public static final int QUOTA = 6;
    /** It belongs to somebody else. */
    public static final int NOT_YOURS = 7;
    /** The address has no home. */
    public static final int UNKNOWN_ADDRESS = 8;
    /** The rules do not allow it. */
    public static final int POLICY = 11;
    /** The rules are too old to go by. */
    public static final int POLICY_OLD = 12;
    /** The tenant is none any more. */
    public static final int REVOKED = 13;
    /** The router goes away. */
    public static final int DRAINING = 14;
    /** Nobody listens there. */
    public static final int NOBODY_LISTENS = 15;
    /** The router has no memory for it. */
    public static final int NO_MEMORY = 16;
    /** The folder or a file of it is not as it must be. */
    public static final int FOLDER = 17;
    /** The router is gone: said by the device itself. */
    public static final int ROUTER_GONE = 18;
    /** Somebody has it, or there is no room just now. */
    public static final int BUSY = 20;

    /** The most bytes of a message. */
    public static final int MAX_MESSAGE = 1024;
    private static final int MAX_REASON = 63;

    /** Returns the frame; bytes of the message that are not printable are replaced, what is too long is cut. */
    public ControlFrame frame(int id, int object) {
        byte[] text = message.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < text.length; i++) {
            text[i] = text[i] < ' ' || text[i] > '~' ? (byte) '?' : text[i];
        }
        byte[] cut = text.length > MAX_MESSAGE ? Arrays.copyOf(text, MAX_MESSAGE) : text;
        return ControlFrame.of(Command.REFUSED, id, object, new Body.Writer().put(reason).put(cut, MAX_MESSAGE).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static Refused decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.REFUSED);
        Refused refused = new Refused(body.integer("reason", 0, MAX_REASON), body.text("message", MAX_MESSAGE));
        body.end();
        return refused;
    }
}
