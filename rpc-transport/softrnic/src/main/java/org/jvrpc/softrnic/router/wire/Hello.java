package org.jvrpc.softrnic.router.wire;

/**
 * The first frame of a tenant's device.
 *
 * @param leastVersion of the protocol that the device speaks
 * @param mostVersion of the same
 * @param flags {@link #SLOW}, or 0
 * @param device name of the device's folder in the tenant's
 * @param token what the tenant was given; never logged
 */
public record Hello(int leastVersion, int mostVersion, int flags, String device, byte[] token) {

    /** Flag: doorbells travel as frames. */
    public static final int SLOW = 1;
    /** The most bytes of a token. */
    public static final int MAX_TOKEN = 256;
    private static final int MAX_NAME = 64;

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return ControlFrame.of(Command.HELLO, id, 0, new Body.Writer().put(leastVersion).put(mostVersion).put(flags)
                .put(device, MAX_NAME).put(token, MAX_TOKEN).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static Hello decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.HELLO);
        Hello hello = new Hello(body.integer("least version", 0, 0xffff), body.integer("most version", 0, 0xffff),
                body.integer("flags", 0, SLOW), body.text("device", MAX_NAME), body.bytes("token", MAX_TOKEN));
        body.end();
        return hello;
    }

    /** Says nothing of the token. */
    @Override
    public String toString() {
        return "Hello[versions=" + leastVersion + " to " + mostVersion + ", flags=" + flags + ", device=" + device
                + "]";
    }
}
