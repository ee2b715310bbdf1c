package org.jvrpc.runtime.service;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.OffloadSettings;

/**
 * What a server tells a client, when that opens a service, of a method whose answers a program finds.
 *
 * @param index of the method in its service
 * @param answerBytes the longest answer with its arguments
 * @param address of the program's host
 * @param name of the lookup there
 */
public record MethodOffer(int index, int answerBytes, String address, String name) {

    private static final int MIN_BYTES = 14;

    void write(WireWriter out) {
        out.writeShort((short) index);
        out.writeInt(answerBytes);
        out.writeString(address);
        out.writeString(name);
    }

    private static MethodOffer read(WireReader in, int methods) {
        MethodOffer offer = new MethodOffer(in.readShort() & 0xffff, in.readInt(), in.readString(), in.readString());
        if (offer.index >= methods || offer.answerBytes < OffloadSettings.MIN_ANSWER_BYTES
                || offer.answerBytes > OffloadSettings.MAX_ANSWER_BYTES) {
            throw new RpcException(Status.INTERNAL, "server offers what cannot be: " + offer + " methods=" + methods);
        }
        return offer;
    }

    /** Reads the offers of a service with so many methods; null when there are none. */
    public static MethodOffer[] readAll(WireReader in, int methods) {
        int count = in.readCount(MIN_BYTES);
        MethodOffer[] offers = count == 0 ? null : new MethodOffer[count];
        for (int i = 0; i < count; i++) {
            offers[i] = read(in, methods);
        }
        return offers;
    }
}
