package org.jvrpc.softrnic.router.wire;

/**
 * {@link Command#ROUTE}: asks for the way of an address handle to a device, whose number among the ways of the asking
 * device is the answer's object.
 *
 * @param address virtual address of that device's tenant
 * @param pd number of the handle's protection domain; the frame's object
 * @param device number of the device at its router
 * @param incarnation of that router
 */
public record RouteNote(int pd, String address, int device, long incarnation) {

    /** First half of the GID of a way; the second is the number of the device that it leads to. */
    public static final long GID_HIGH = 0xfe80L << 48;

    private static final int MAX_ADDRESS = 64;

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return ControlFrame.of(Command.ROUTE, id, pd,
                new Body.Writer().put(address, MAX_ADDRESS).put(device).put(incarnation).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static RouteNote decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.ROUTE);
        if (frame.object() < 1) {
            throw new FrameException("command=ROUTE pd=" + frame.object());
        }
        RouteNote note = new RouteNote(
                frame.object(), body.text("address", MAX_ADDRESS), body.integer(), body.number());
        body.end();
        return note;
    }
}
