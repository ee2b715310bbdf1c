package org.jvrpc.runtime.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

class OpeningTest {

    private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 12);
    private final WireWriter out = new WireWriter();
    private final WireReader in = new WireReader();

    /** A service with two growing records. */
    private static final class Growing implements ServiceDescriptor<Object> {

        @Override
        public String name() {
            return "growing";
        }

        @Override
        public long fingerprint() {
            return 7;
        }

        @Override
        public long objectsFingerprint() {
            return 8;
        }

        @Override
        public List<MethodDescriptor> methods() {
            return List.of(new MethodDescriptor(0, "growing", "f",
                    "f(a.A,a.B,a.C)void a.A{x:int,y@1:int,z@2:int} a.B{x:int} a.C{x@1:int,y@1:int}", 0, false, false,
                    0, false));
        }

        @Override
        public List<Class<?>> objectClasses() {
            return List.of();
        }

        @Override
        public Object stub(RpcChannel channel) {
            throw new AssertionError();
        }

        @Override
        public Object asyncStub(RpcChannel channel) {
            throw new AssertionError();
        }

        @Override
        public Class<?> asyncInterface() {
            throw new AssertionError();
        }

        @Override
        public Skeleton skeleton(Object implementation) {
            throw new AssertionError();
        }
    }

    private int[] answered(Map<String, Integer> shorter) {
        out.reset(memory, 0, memory.capacity(), null, null);
        Opening.writeAnswer(out, 5, shorter);
        in.reset(memory, 0, out.length(), null);
        assertEquals(5, in.readInt());
        assertNull(MethodOffer.readAll(in, 1));
        return Opening.readShorter(in, new Growing());
    }

    @Test
    void aClientHearsWhatDoesNotTravelWhole() {
        int all = Integer.MAX_VALUE;
        assertArrayEquals(new int[] {2, all}, answered(Map.of("a.A", 2)));
        assertArrayEquals(new int[] {1, 0}, answered(Map.of("a.A", 1, "a.C", 0)));
        assertNull(answered(Map.of()), "all of it");
    }

    @Test
    void aServerThatSaysNothingOfItIsOneOfAnEqualVersion() {
        in.reset(memory, 0, 0, null);
        assertNull(Opening.readShorter(in, new Growing()));
    }

    @Test
    void aServerThatSaysWhatCannotBeIsRefused() {
        for (Map<String, Integer> wrong : List.of(Map.of("a.A", 0), Map.of("a.A", 3), Map.of("a.B", 0),
                Map.of("a.X", 1), Map.of("a.C", 0xffff))) {
            RpcException e = assertThrows(RpcException.class, () -> answered(wrong), wrong.toString());
            assertEquals(Status.INTERNAL, e.status());
            assertEquals("server answered with components=" + wrong.values().iterator().next() + " of record name="
                    + wrong.keySet().iterator().next() + " in service name=growing", e.getMessage());
        }
    }

    @Test
    void aRequestIsReadAsItWasWritten() {
        out.reset(memory, 0, memory.capacity(), null, null);
        Opening.writeRequest(out, new Growing());
        in.reset(memory, 0, out.length(), null);
        assertEquals("growing", in.readString());
        assertEquals(7, in.readLong());
        ServiceSchema client = Opening.readClient("growing", 7, in);
        assertEquals(ServiceSchema.of(new Growing()), client);
        assertEquals(8, client.objects());
    }

    @Test
    void aClientThatSaysNothingOfItsObjectsHasUnknownOnes() {
        out.reset(memory, 0, memory.capacity(), null, null);
        Opening.writeRequest(out, new Growing());
        in.reset(memory, 0, out.length() - 8, null);
        in.readString();
        in.readLong();
        assertEquals(0, Opening.readClient("growing", 7, in).objects());
    }
}
