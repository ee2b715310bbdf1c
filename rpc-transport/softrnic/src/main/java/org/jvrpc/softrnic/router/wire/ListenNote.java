package org.jvrpc.softrnic.router.wire;

/**
 * {@link Command#LISTEN}.
 *
 * @param listener number of the device's choice; its object
 * @param address one of the tenant's virtual addresses
 * @param port 1 to 65535
 */
public record ListenNote(int listener, String address, int port) {

    private static final int MAX_ADDRESS = 64;

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return ControlFrame.of(Command.LISTEN, id, listener, new Body.Writer().put(address, MAX_ADDRESS).put(port)
                .body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static ListenNote decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.LISTEN);
        ListenNote note = new ListenNote(frame.object(), body.text("address", MAX_ADDRESS),
                body.integer("port", 1, 0xffff));
        body.end();
        return note;
    }
}
