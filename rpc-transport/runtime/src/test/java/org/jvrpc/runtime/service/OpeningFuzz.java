package org.jvrpc.runtime.service;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.FuzzBodies;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any bytes as what a client says to open a service, and as what the server answers of offers. Refusals are
 * {@link RpcException}: INTERNAL where the bytes cannot be, UNIMPLEMENTED for another service, FAILED_PRECONDITION
 * where no method is the same, RESOURCE_EXHAUSTED for too many.
 */
final class OpeningFuzz {

    private static final int METHODS = 40;
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(1 << 16);
    private static final ByteBuffer ANSWER = ByteBuffer.allocateDirect(1 << 16);
    private static final WireReader READER = new WireReader();
    private static final WireWriter WRITER = new WireWriter();
    private static final ServiceTable.Method[] NONE = {};
    private static final ServiceTable TABLE = new ServiceTable();

    static {
        TABLE.add(new CallsService(), FuzzBodies.harmless());
    }

    private OpeningFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        MEMORY.put(0, input, 0, Math.min(input.length, MEMORY.capacity()));
        int length = Math.min(input.length, MEMORY.capacity());
        try {
            READER.reset(MEMORY, 0, length, null);
            WRITER.reset(ANSWER, 0, ANSWER.capacity(), null, null);
            ServiceTable.Method[] opened = TABLE.open(READER, WRITER, NONE);
            opened(opened);
        } catch (RpcException e) {
            FuzzCheck.that(e.status() == Status.INTERNAL || e.status() == Status.UNIMPLEMENTED
                    || e.status() == Status.FAILED_PRECONDITION || e.status() == Status.RESOURCE_EXHAUSTED, e);
        }
        offers(length);
    }

    /**
     * A client of this version has the server's numbers; one of another has numbers of its own, behind all of those.
     */
    private static void opened(ServiceTable.Method[] opened) {
        int own = new CallsService().methods().size();
        int base = ANSWER.order(ByteOrder.LITTLE_ENDIAN).getInt(0);
        FuzzCheck.that(base == (opened.length == own ? 0 : own), base);
        FuzzCheck.that(opened.length > base && opened.length <= base + Math.max(own, Opening.MAX_METHODS),
                opened.length);
        for (int i = 0; i < opened.length; i++) {
            FuzzCheck.that((opened[i] == null) == i < base, "method number=" + i);
        }
        FuzzCheck.that(base == 0 ? WRITER.length() == 8 : WRITER.length() >= 8, "an answer of another length");
    }

    private static void offers(int length) {
        MethodOffer[] offers;
        try {
            READER.reset(MEMORY, 0, length, null);
            offers = MethodOffer.readAll(READER, METHODS);
        } catch (RpcException e) {
            FuzzCheck.that(e.status() == Status.INTERNAL, e);
            return;
        }
        if (offers == null) {
            return;
        }
        WRITER.reset(ANSWER, 0, ANSWER.capacity(), null, null);
        WRITER.writeCount(offers.length);
        for (MethodOffer offer : offers) {
            FuzzCheck.that(offer.index() < METHODS && offer.answerBytes() >= OffloadSettings.MIN_ANSWER_BYTES
                    && offer.answerBytes() <= OffloadSettings.MAX_ANSWER_BYTES, offer);
            offer.write(WRITER);
        }
        READER.reset(ANSWER, 0, WRITER.length(), null);
        FuzzCheck.that(Arrays.equals(offers, MethodOffer.readAll(READER, METHODS)), Arrays.toString(offers));
    }
}
