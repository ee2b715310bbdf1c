package org.jvrpc.softrnic.router.wire;

/**
 * {@link Command#REGISTER}: a memory region. The answer, {@link Command#DONE}, has as its object what peers know the
 * key by.
 *
 * @param lkey the device's key; its object
 * @param pd number of the protection domain
 * @param access rights, see {@link org.jvrpc.verbs.Access}
 * @param address where it begins
 * @param length bytes
 */
public record RegionNote(int lkey, int pd, int access, long address, long length) {

    private static final int RIGHTS = 0xff;

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return ControlFrame.of(Command.REGISTER, id, lkey, new Body.Writer().put(pd).put(access).put(address)
                .put(length).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static RegionNote decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.REGISTER);
        RegionNote note = new RegionNote(frame.object(), body.integer("pd", 1, Integer.MAX_VALUE),
                body.integer("access", 0, RIGHTS), body.number(), body.number("length", 1, 1L << 40));
        body.end();
        return note;
    }
}
