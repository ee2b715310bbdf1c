package org.jvrpc.api.stream;

/** Writers of primitives over writers of boxes. */
final class Boxed {

    private Boxed() {
    }

    /** Of ints. */
    record Ints(StreamWriter<Integer> writer) implements StreamWriter.OfInt {

        @Override
        public void writeInt(int element) {
            writer.write(element);
        }

        @Override
        public void flush() {
            writer.flush();
        }
    }

    /** Of longs. */
    record Longs(StreamWriter<Long> writer) implements StreamWriter.OfLong {

        @Override
        public void writeLong(long element) {
            writer.write(element);
        }

        @Override
        public void flush() {
            writer.flush();
        }
    }

    /** Of doubles. */
    record Doubles(StreamWriter<Double> writer) implements StreamWriter.OfDouble {

        @Override
        public void writeDouble(double element) {
            writer.write(element);
        }

        @Override
        public void flush() {
            writer.flush();
        }
    }
}
