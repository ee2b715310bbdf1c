package org.jvrpc.softrnic.router.wire;

/**
 * {@link Command#CHAINS}: what is to be done with the group of chains of a protection domain; the flags say what, the
 * domain's number is the object.
 *
 * @param operation {@link #OPEN} to {@link #CLOSE}
 * @param pd number of the protection domain
 * @param rate of {@link #LIMIT}: WQEs a second, at least 1
 * @param burst of {@link #LIMIT}: WQEs at once, at least 1
 */
public record ChainsNote(int operation, int pd, long rate, long burst) {

    /** Makes the group. */
    public static final int OPEN = 0;
    /** Limits its rate. */
    public static final int LIMIT = 1;
    /** Stops it for good. */
    public static final int CUT_OFF = 2;
    /** Asks for its {@link State}. */
    public static final int LOOK = 3;
    /** Ends the group, which no QP is of any more. */
    public static final int CLOSE = 4;

    /** As an answer to {@link #LOOK} says. @param executed WQEs since the group was made */
    public record State(long executed, boolean cutOff) {

        /** Returns the answer. */
        public ControlFrame frame(int id, int pd) {
            return new ControlFrame(Command.DONE, 0, id, pd,
                    new Body.Writer().put(executed).put(cutOff ? 1 : 0).body());
        }

        /** Returns what an answer says. @throws FrameException when it is none */
        public static State decode(ControlFrame frame) throws FrameException {
            Body.Reader body = new Body.Reader(frame, Command.DONE);
            State state = new State(body.number("executed", 0, Long.MAX_VALUE), body.integer("cut off", 0, 1) != 0);
            body.end();
            return state;
        }
    }

    /** One that has no numbers. */
    public static ChainsNote of(int operation, int pd) {
        return new ChainsNote(operation, pd, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return new ControlFrame(Command.CHAINS, operation, id, pd, new Body.Writer().put(rate).put(burst).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static ChainsNote decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.CHAINS);
        if (frame.flags() < OPEN || frame.flags() > CLOSE || frame.object() < 1) {
            throw new FrameException("command=CHAINS operation=" + frame.flags() + " range=" + OPEN + " to " + CLOSE
                    + " pd=" + frame.object());
        }
        ChainsNote note = new ChainsNote(frame.flags(), frame.object(), body.number("rate", 1, Long.MAX_VALUE),
                body.number("burst", 1, Integer.MAX_VALUE));
        body.end();
        return note;
    }
}
