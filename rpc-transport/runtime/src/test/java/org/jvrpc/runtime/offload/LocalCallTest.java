package org.jvrpc.runtime.offload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.runtime.contract.QuotesService;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Settings;

/** How long the bytes of a call may become, and what has none. */
class LocalCallTest {

    /** Returns the memory of a writer that has written so much and needs more. */
    private static ByteBuffer grown(int written, int needed) {
        WireWriter writer = new WireWriter();
        writer.reset(ByteBuffer.allocateDirect(written), 0, written, null, null);
        for (int i = 0; i < written; i++) {
            writer.writeByte((byte) (i + 1));
        }
        LocalCall.growOnHeap(writer, needed);
        for (int i = 0; i < written; i++) {
            assertEquals((byte) (i + 1), writer.buffer().get(i));
        }
        assertEquals(written, writer.length());
        return writer.buffer();
    }

    @Test
    void whatIsFullMovesToTwiceTheMemoryOrAsMuchAsIsNeeded() {
        assertEquals(200, grown(100, 1).capacity());
        assertEquals(200, grown(100, 100).capacity());
        assertEquals(201, grown(100, 101).capacity());
        assertEquals(1000, grown(100, 900).capacity());
    }

    @Test
    void whatIsLongerThanAnyBodyIsRefused() {
        RpcException e = assertThrows(RpcException.class, () -> grown(1, (int) Settings.MAX_BODY_BYTES));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        assertEquals("longer than the limit: bytes=" + (Settings.MAX_BODY_BYTES + 1) + " limit="
                + Settings.MAX_BODY_BYTES, e.getMessage());
        e = assertThrows(RpcException.class, () -> grown(10, Integer.MAX_VALUE));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
    }

    @Test
    void anAnswerThatComesLaterIsNone() {
        ServiceTable services = new ServiceTable();
        services.add(ServiceDescriptor.of(Quotes.class), new QuotesImpl());
        LocalCall call = new LocalCall(services.find(QuotesService.NAME.service(), "name").get(0));
        CompletableFuture<String> late = new CompletableFuture<>();
        RpcException e = assertThrows(RpcException.class,
                () -> call.completeLater(late, (answering, result, thrown) -> { }));
        assertEquals(Status.INTERNAL, e.status());
        assertEquals(QuotesService.NAME.fullName() + " is asynchronous: no answer can be published", e.getMessage());
    }
}
