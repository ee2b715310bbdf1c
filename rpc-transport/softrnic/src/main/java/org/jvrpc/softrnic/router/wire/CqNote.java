package org.jvrpc.softrnic.router.wire;

/**
 * {@link Command#CREATE_CQ}.
 *
 * @param number of the CQ at its device; its object
 * @param address of the tenant's copy of its context, behind which the ring lies
 * @param entries of the ring
 * @param cqeBytes bytes of an entry, 64 or 128
 * @param flags {@link #CROSS_CHANNEL}, or 0
 * @param produced completions that were written to it by a router before this one
 */
public record CqNote(int number, long address, int entries, int cqeBytes, int flags, int produced) {

    /** Flag: it belongs to cross-channel QPs. */
    public static final int CROSS_CHANNEL = 1;
    private static final int MAX_ENTRIES = 1 << 22;

    /** One that nothing was written to. */
    public CqNote(int number, long address, int entries, int cqeBytes, int flags) {
        this(number, address, entries, cqeBytes, flags, 0);
    }

    /** Returns the same with another number of completions. */
    public CqNote after(int completions) {
        return new CqNote(number, address, entries, cqeBytes, flags, completions);
    }

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return ControlFrame.of(Command.CREATE_CQ, id, number, new Body.Writer().put(address).put(entries).put(cqeBytes)
                .put(flags).put(produced).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static CqNote decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.CREATE_CQ);
        CqNote note = new CqNote(frame.object(), body.number(), body.power("entries", 1, MAX_ENTRIES),
                body.power("cqe bytes", 64, 128), body.integer("flags", 0, CROSS_CHANNEL), body.integer());
        body.end();
        return note;
    }
}
