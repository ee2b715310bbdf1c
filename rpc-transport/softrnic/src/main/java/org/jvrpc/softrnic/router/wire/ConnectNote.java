package org.jvrpc.softrnic.router.wire;

import org.jvrpc.verbs.Device;

/**
 * {@link Command#CONNECT}, of the QP that is its object: to whoever listens at an address and port, or, with flag
 * {@link #BY_ENDPOINT}, to a QP. {@link Command#CONNECTED}, {@link Command#REJECT} or {@link Command#REFUSED} answer.
 *
 * @param address virtual address of the peer
 * @param port where it listens; 0 for an endpoint
 * @param device of the endpoint: its number
 * @param qp of the endpoint: its number
 * @param incarnation of the endpoint's router
 * @param privateData at most {@link Device#MAX_PRIVATE_BYTES}
 */
public record ConnectNote(String address, int port, int device, int qp, long incarnation, byte[] privateData) {

    /** Flag of the frame: port and private data mean nothing. */
    public static final int BY_ENDPOINT = 1;
    private static final int MAX_ADDRESS = 64;
    private static final int MAX_PRIVATE = Device.MAX_PRIVATE_BYTES;

    /** Returns the frame. */
    public ControlFrame frame(int id, int own, int flags) {
        return new ControlFrame(Command.CONNECT, flags, id, own, new Body.Writer().put(address, MAX_ADDRESS).put(port)
                .put(device).put(qp).put(incarnation).put(privateData, MAX_PRIVATE).body());
    }

    /** Returns what a frame says. @throws FrameException when it is none of these */
    public static ConnectNote decode(ControlFrame frame) throws FrameException {
        Body.Reader body = new Body.Reader(frame, Command.CONNECT);
        ConnectNote note = new ConnectNote(body.text("address", MAX_ADDRESS), body.integer("port", 0, 0xffff),
                body.integer(), body.integer(), body.number(), body.bytes("private data", MAX_PRIVATE));
        body.end();
        return note;
    }
}
