package org.jvrpc.softrnic.router.wire;

/**
 * The router's answer to {@link Hello}.
 *
 * @param version of the protocol from now on
 * @param flags {@link #PRIVATE}, {@link #SLOW}
 * @param incarnation of the router: another one knows nothing of what was said to this one
 * @param device number of the device at the router
 * @param tenant the tenant's name
 * @param address the tenant's first virtual address
 */
public record Welcome(int version, int flags, long incarnation, int device, String tenant, String address) {

    /** Flag: nobody on the way to other hosts can read what is sent. */
    public static final int PRIVATE = 1;
    /** Flag: doorbells travel as frames. */
    public static final int SLOW = 2;
    private static final int MAX_TEXT = 64;

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return ControlFrame.of(Command.WELCOME, id, device, new Body.Writer().put(version).put(flags).put(incarnation)
                .put(tenant, MAX_TEXT).put(address, MAX_TEXT).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static Welcome decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.WELCOME);
        Welcome welcome = new Welcome(body.integer("version", 1, 0xffff), body.integer("flags", 0, PRIVATE | SLOW),
                body.number(), frame.object(), body.text("tenant", MAX_TEXT), body.text("address", MAX_TEXT));
        body.end();
        return welcome;
    }
}
