package org.jvrpc.benchmarks.peer;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** The one gRPC method: bytes there and back, without protobuf. */
final class Grpc {

    static final String SERVICE = "bench.Echo";

    static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "echo"))
            .setRequestMarshaller(new BytesMarshaller())
            .setResponseMarshaller(new BytesMarshaller())
            .build();

    private Grpc() {
    }

    private static final class BytesMarshaller implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new BytesStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream instanceof KnownLength ? stream.readNBytes(stream.available()) : stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Tells gRPC its length and writes itself, as protobuf's streams do, which spares copies. */
    private static final class BytesStream extends ByteArrayInputStream implements KnownLength, Drainable {

        BytesStream(byte[] value) {
            super(value);
        }

        @Override
        public int drainTo(OutputStream target) throws IOException {
            int length = available();
            target.write(buf, pos, length);
            pos += length;
            return length;
        }
    }
}
