package org.jvrpc.softrnic.router.wire;

import org.jvrpc.verbs.Device;

/**
 * {@link Command#OFFER}, {@link Command#CONNECTED}, {@link Command#ACCEPT} and {@link Command#REJECT}: who is at the
 * other end, and what it sent along.
 *
 * @param offer number by which a tenant accepts or rejects; 0 in answers to who connects
 * @param tenant name of the peer's, by the router's word; empty from a tenant
 * @param address the peer's virtual address, by the router's word; empty from a tenant
 * @param privateData at most {@link Device#MAX_PRIVATE_BYTES}
 */
public record Offer(int offer, String tenant, String address, byte[] privateData) {

    /** Flag of {@link Command#REJECT}: nobody listens any more, as whoever connects is told. */
    public static final int DROPPED = 1;
    private static final int MAX_TEXT = 64;

    /** Returns the frame. @param object the listener of an offer, else a QP */
    public ControlFrame frame(Command command, int id, int object) {
        return ControlFrame.of(command, id, object, new Body.Writer().put(offer).put(tenant, MAX_TEXT)
                .put(address, MAX_TEXT).put(privateData, Device.MAX_PRIVATE_BYTES).body());
    }

    /** Returns what a frame of a command says. @throws FrameException when it is none of these */
    public static Offer decode(ControlFrame frame, Command command) throws FrameException {
        Body.Reader body = new Body.Reader(frame, command);
        Offer offer = new Offer(body.integer(), body.text("tenant", MAX_TEXT), body.text("address", MAX_TEXT),
                body.bytes("private data", Device.MAX_PRIVATE_BYTES));
        body.end();
        return offer;
    }
}
