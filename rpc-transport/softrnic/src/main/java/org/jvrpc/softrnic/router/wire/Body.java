package org.jvrpc.softrnic.router.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bodies of frames, field by field: numbers little-endian, texts and bytes behind their length of 16 bits. */
final class Body {

    private Body() {
    }

    /** Writes a body field by field. One thread. */
    static final class Writer {

        private final ByteBuffer bytes = ByteBuffer.allocate(ControlFrame.MAX_BODY).order(ByteOrder.LITTLE_ENDIAN);

        Writer put(int value) {
            bytes.putInt(value);
            return this;
        }

        Writer put(long value) {
            bytes.putLong(value);
            return this;
        }

        /** @throws IllegalArgumentException when they are more than the field takes */
        Writer put(byte[] value, int most) {
            if (value.length > most) {
                throw new IllegalArgumentException("bytes=" + value.length + " limit=" + most);
            }
            bytes.putShort((short) value.length).put(value);
            return this;
        }

        Writer put(String value, int most) {
            return put(value.getBytes(StandardCharsets.UTF_8), most);
        }

        byte[] body() {
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    /** Reads a body field by field; whatever is short, long or left over is refused. One thread. */
    static final class Reader {

        private final Command command;
        private final ByteBuffer bytes;

        Reader(ControlFrame frame, Command expected) throws FrameException {
            if (frame.command() != expected) {
                throw new FrameException("command=" + frame.command() + " expected=" + expected);
            }
            this.command = expected;
            this.bytes = ByteBuffer.wrap(frame.body()).order(ByteOrder.LITTLE_ENDIAN);
        }

        private void need(int count) throws FrameException {
            if (bytes.remaining() < count) {
                throw new FrameException("command=" + command + " body=" + bytes.limit() + " ends before byte="
                        + (bytes.position() + count));
            }
        }

        int integer() throws FrameException {
            need(Integer.BYTES);
            return bytes.getInt();
        }

        /** Returns an int of a range. */
        int integer(String field, int least, int most) throws FrameException {
            int value = integer();
            if (value < least || value > most) {
                throw outOfRange(field, value, least, most);
            }
            return value;
        }

        long number() throws FrameException {
            need(Long.BYTES);
            return bytes.getLong();
        }

        /** Returns a long of a range. */
        long number(String field, long least, long most) throws FrameException {
            long value = number();
            if (value < least || value > most) {
                throw outOfRange(field, value, least, most);
            }
            return value;
        }

        private FrameException outOfRange(String field, long value, long least, long most) {
            return new FrameException("command=" + command + " " + field + "=" + value + " range=" + least + " to "
                    + most);
        }

        /** Returns a number of two's power in a range. */
        int power(String field, int least, int most) throws FrameException {
            int value = integer(field, least, most);
            if (Integer.bitCount(value) != 1) {
                throw new FrameException("command=" + command + " " + field + "=" + value + " is no power of two");
            }
            return value;
        }

        byte[] bytes(String field, int most) throws FrameException {
            need(Short.BYTES);
            int length = bytes.getShort() & 0xffff;
            if (length > most) {
                throw outOfRange(field + " bytes", length, 0, most);
            }
            need(length);
            byte[] value = new byte[length];
            bytes.get(value);
            return value;
        }

        /** Returns printable ASCII. */
        String text(String field, int most) throws FrameException {
            byte[] value = bytes(field, most);
            for (byte b : value) {
                if (b < ' ' || b > '~') {
                    throw new FrameException("command=" + command + " " + field + " has byte=" + b
                            + ", which is no printable ASCII");
                }
            }
            return new String(value, StandardCharsets.US_ASCII);
        }

        /** Nothing may follow. */
        void end() throws FrameException {
            if (bytes.hasRemaining()) {
                throw new FrameException("command=" + command + " body=" + bytes.limit() + " expected="
                        + bytes.position());
            }
        }
    }
}
