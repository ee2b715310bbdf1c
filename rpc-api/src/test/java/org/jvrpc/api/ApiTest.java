package org.jvrpc.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.stub.ServiceDescriptor;

class ApiTest {

    @Test
    void anInterfaceWithoutGeneratedClassesSaysWhatToCheck() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> ServiceDescriptor.of(Runnable.class));
        assertTrue(e.getMessage().contains("annotationProcessorPaths"), e::getMessage);
    }

    @Test
    void statusCodesAreThoseOfGrpc() {
        assertEquals(17, Status.values().length);
        assertEquals(4, Status.DEADLINE_EXCEEDED.code());
        assertEquals(14, Status.UNAVAILABLE.code());
        assertEquals(16, Status.UNAUTHENTICATED.code());
        for (Status status : Status.values()) {
            assertEquals(status, Status.ofCode(status.code()));
        }
        assertEquals(Status.UNKNOWN, Status.ofCode(-1));
        assertEquals(Status.UNKNOWN, Status.ofCode(17));
    }

    @Test
    void anRpcExceptionIsNeverOk() {
        assertThrows(IllegalArgumentException.class, () -> new RpcException(Status.OK, "fine"));
    }

    @Test
    void anRpcExceptionMayHaveRunUnlessItIsKnownThatItDidNot() {
        assertTrue(new RpcException(Status.UNAVAILABLE, "lost").mayHaveRun());
        assertTrue(new RpcException(Status.UNAVAILABLE, "lost", new IllegalStateException()).mayHaveRun());
        RpcException notRun = RpcException.notRun(Status.UNAVAILABLE, "no connection");
        assertFalse(notRun.mayHaveRun());
        assertEquals(Status.UNAVAILABLE, notRun.status());
    }

    @Test
    void callOptionsAreCopiedNotChanged() {
        CallOptions options = CallOptions.DEFAULT.withMetadata("Name", "a").withDeadlineAfter(Duration.ofMillis(1));
        CallOptions more = options.withMetadata("name", "b");
        Metadata first = new Metadata();
        options.copyMetadataTo(first);
        Metadata second = new Metadata();
        more.copyMetadataTo(second);
        assertEquals("a", first.get("NAME"));
        assertEquals("b", second.get("name"));
        assertEquals(2, second.size());
        assertEquals(1_000_000, more.deadlineNs());
        assertEquals(0, CallOptions.DEFAULT.deadlineNs());
        assertThrows(IllegalArgumentException.class, () -> options.withDeadlineAfter(Duration.ZERO));
    }
}
