package org.jvrpc.softrnic.router.wire;

/**
 * {@link Command#CREATE_QP}.
 *
 * @param number of the QP; its object
 * @param pd number of the protection domain
 * @param address of the tenant's copy of its context, behind which the receive ring and then the send ring lie
 * @param receives entries of the receive ring
 * @param stride bytes of a receive WQE
 * @param sends blocks of the send ring
 * @param sendRing offset of the send ring from the context
 * @param sendCq number of a CQ of the device
 * @param receiveCq number of a CQ of the device
 * @param srq number of an SRQ of the device; 0 for receives of its own
 * @param flags {@link #DATAGRAM} to {@link #CHECKED}
 * @param qkey of a datagram QP
 * @param rnrRetry how often a send is tried again that finds no receive; 7 for ever
 * @param rnrTimerNs how long it rests in between
 * @param submit address of its {@link SubmitRing}; 0 for none
 */
public record QpNote(int number, int pd, long address, int receives, int stride, int sends, int sendRing, int sendCq,
        int receiveCq, int srq, int flags, int qkey, int rnrRetry, long rnrTimerNs, long submit) {

    /** Flag: an unreliable datagram QP. */
    public static final int DATAGRAM = 1;
    /** Flag: a cross-channel QP. */
    public static final int CROSS_CHANNEL = 2;
    /** Flag: its peer is woken when its owner says so. */
    public static final int LAZY = 4;
    /** Flag: its sends are executed as far as others enable them; of a cross-channel QP, as the next two. */
    public static final int MANAGED_SEND = 8;
    /** Flag: its receives are used as far as others enable them. */
    public static final int MANAGED_RECEIVE = 16;
    /** Flag: the indices of its WQEs are looked at. */
    public static final int CHECKED = 32;
    private static final int ALL_FLAGS = 63;
    private static final int MAX_ENTRIES = 1 << 16;
    private static final int MAX_STRIDE = 256;
    private static final int MAX_NUMBER = 0xfffffe;

    /** Returns the frame. */
    public ControlFrame frame(int id) {
        return ControlFrame.of(Command.CREATE_QP, id, number, new Body.Writer().put(pd).put(address).put(receives)
                .put(stride).put(sends).put(sendRing).put(sendCq).put(receiveCq).put(srq).put(flags).put(qkey)
                .put(rnrRetry).put(rnrTimerNs).put(submit).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static QpNote decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.CREATE_QP);
        if (frame.object() < 1 || frame.object() > MAX_NUMBER) {
            throw new FrameException("command=CREATE_QP number=" + frame.object() + " range=1 to " + MAX_NUMBER);
        }
        QpNote note = new QpNote(frame.object(), body.integer("pd", 1, Integer.MAX_VALUE), body.number(),
                body.power("receives", 1, MAX_ENTRIES), body.power("stride", 16, MAX_STRIDE),
                body.power("sends", 1, MAX_ENTRIES), body.integer("send ring", 0, 1 << 30), body.integer(),
                body.integer(), body.integer(), body.integer("flags", 0, ALL_FLAGS),
                body.integer(), body.integer("rnr retry", 0, 7), body.number("rnr timer", 0, 1L << 40), body.number());
        body.end();
        return note;
    }
}
