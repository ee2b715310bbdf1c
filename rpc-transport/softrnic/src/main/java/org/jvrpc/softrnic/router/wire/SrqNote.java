package org.jvrpc.softrnic.router.wire;

/**
 * {@link Command#CREATE_SRQ}.
 *
 * @param number of the SRQ at its device; its object
 * @param pd number of the protection domain
 * @param address of the tenant's copy of its context
 * @param entries of the ring
 * @param stride bytes of a WQE
 * @param taken how many receives were taken by a router before this one
 * @param next index of the one that is taken next, below entries
 */
public record SrqNote(int number, int pd, long address, int entries, int stride, int taken, int next) {

    private static final int MAX_ENTRIES = 1 << 15;
    private static final int MAX_STRIDE = 512;

    /** One of which nothing was taken. */
    public SrqNote(int number, int pd, long address, int entries, int stride) {
        this(number, pd, address, entries, stride, 0, 0);
    }

    /** Returns the same with another state. */
    public SrqNote after(int takenBefore, int takenNext) {
        return new SrqNote(number, pd, address, entries, stride, takenBefore, takenNext);
    }

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return ControlFrame.of(Command.CREATE_SRQ, id, number, new Body.Writer().put(pd).put(address).put(entries)
                .put(stride).put(taken).put(next).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static SrqNote decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.CREATE_SRQ);
        SrqNote note = new SrqNote(frame.object(), body.integer("pd", 1, Integer.MAX_VALUE), body.number(),
                body.power("entries", 2, MAX_ENTRIES), body.power("stride", 32, MAX_STRIDE),
                body.integer(), body.integer("next", 0, MAX_ENTRIES - 1));
        if (note.next >= note.entries) {
            throw new FrameException("command=CREATE_SRQ next=" + note.next + " entries=" + note.entries);
        }
        body.end();
        return note;
    }
}
