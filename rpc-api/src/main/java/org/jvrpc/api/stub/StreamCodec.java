package org.jvrpc.api.stub;

import java.nio.ByteBuffer;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/**
 * Encodes and decodes the elements of a stream. Generated, but for those that are here; stateless.
 *
 * @param <T> an element, never null
 */
public interface StreamCodec<T> {

    /** Of {@code boolean}. */
    StreamCodec<Boolean> BOOLEAN = fixed(1, WireReader::readBoolean, WireWriter::writeBoolean);
    /** Of {@code byte}. */
    StreamCodec<Byte> BYTE = fixed(1, WireReader::readByte, WireWriter::writeByte);
    /** Of {@code short}. */
    StreamCodec<Short> SHORT = fixed(2, WireReader::readShort, WireWriter::writeShort);
    /** Of {@code char}. */
    StreamCodec<Character> CHAR = fixed(2, WireReader::readChar, WireWriter::writeChar);
    /** Of {@code int}. */
    StreamCodec<Integer> INT = fixed(4, WireReader::readInt, WireWriter::writeInt);
    /** Of {@code long}. */
    StreamCodec<Long> LONG = fixed(8, WireReader::readLong, WireWriter::writeLong);
    /** Of {@code float}. */
    StreamCodec<Float> FLOAT = fixed(4, WireReader::readFloat, WireWriter::writeFloat);
    /** Of {@code double}. */
    StreamCodec<Double> DOUBLE = fixed(8, WireReader::readDouble, WireWriter::writeDouble);
    /** Of buffers that the consumer keeps. */
    StreamCodec<ByteBuffer> BUFFER = of(WireReader::readBuffer, WireWriter::writeBuffer);
    /** Of buffers that the consumer looks at where they lie, see {@link org.jvrpc.api.InPlace}. */
    StreamCodec<ByteBuffer> IN_PLACE = of(WireReader::readView, WireWriter::writeBuffer);

    /** Reads one. */
    T read(WireReader in);

    /** Writes one. */
    void write(WireWriter out, T element);

    /** Returns how many bytes each takes, 0 where they differ. */
    default int fixedBytes() {
        return 0;
    }

    /** Reads one element. */
    @FunctionalInterface
    interface Reader<T> {

        /** Reads one. */
        T read(WireReader in);
    }

    /** Writes one element. */
    @FunctionalInterface
    interface Writer<T> {

        /** Writes one. */
        void write(WireWriter out, T element);
    }

    /** Makes one of elements of any length. */
    static <T> StreamCodec<T> of(Reader<T> reader, Writer<T> writer) {
        return fixed(0, reader, writer);
    }

    private static <T> StreamCodec<T> fixed(int bytes, Reader<T> reader, Writer<T> writer) {
        return new StreamCodec<>() {
            @Override
            public T read(WireReader in) {
                return reader.read(in);
            }

            @Override
            public void write(WireWriter out, T element) {
                writer.write(out, element);
            }

            @Override
            public int fixedBytes() {
                return bytes;
            }
        };
    }
}
