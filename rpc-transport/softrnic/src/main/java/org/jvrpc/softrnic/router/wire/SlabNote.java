package org.jvrpc.softrnic.router.wire;

/**
 * {@link Command#SLAB}: a file of the device's folder that the router maps.
 *
 * @param segment number of the slab in the device's addresses; its object
 * @param length bytes that are mapped
 * @param device name of the device whose folder has it: the own, or another of the tenant's
 * @param file segment of the file there
 */
public record SlabNote(int segment, long length, String device, int file) {

    private static final int MAX_NAME = 64;
    private static final int MAX_SEGMENT = (1 << 23) - 3;

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return ControlFrame.of(Command.SLAB, id, segment, new Body.Writer().put(length).put(device, MAX_NAME).put(file)
                .body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static SlabNote decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.SLAB);
        if (frame.object() < 1 || frame.object() > MAX_SEGMENT) {
            throw new FrameException("command=SLAB segment=" + frame.object() + " range=1 to " + MAX_SEGMENT);
        }
        SlabNote note = new SlabNote(frame.object(), body.number("length", 1, 1L << 40), body.text("device", MAX_NAME),
                body.integer("file", 1, MAX_SEGMENT));
        body.end();
        return note;
    }
}
