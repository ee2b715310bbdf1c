package org.jvrpc.api.stream;

/** Readers of primitives over readers of boxes. */
final class Unboxed {

    private Unboxed() {
    }

    /** Of ints. */
    record Ints(StreamReader<Integer> reader) implements StreamReader.OfInt {

        @Override
        public boolean hasNext() {
            return reader.hasNext();
        }

        @Override
        public int nextInt() {
            return reader.next();
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    /** Of longs. */
    record Longs(StreamReader<Long> reader) implements StreamReader.OfLong {

        @Override
        public boolean hasNext() {
            return reader.hasNext();
        }

        @Override
        public long nextLong() {
            return reader.next();
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    /** Of doubles. */
    record Doubles(StreamReader<Double> reader) implements StreamReader.OfDouble {

        @Override
        public boolean hasNext() {
            return reader.hasNext();
        }

        @Override
        public double nextDouble() {
            return reader.next();
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
