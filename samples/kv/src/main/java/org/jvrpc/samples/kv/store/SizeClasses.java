package org.jvrpc.samples.kv.store;

/** The sizes of chunks: each about 1.25 times the one before, in steps of 8 bytes; the last one is a whole page. */
final class SizeClasses {

    private static final int SMALLEST = 96;
    private static final double FACTOR = 1.25;
    private static final int[] SIZES = sizes();

    private SizeClasses() {
    }

    static int count() {
        return SIZES.length;
    }

    static int chunk(int sizeClass) {
        return SIZES[sizeClass];
    }

    /** Returns the smallest class with chunks of at least so many bytes; all that an item may need are covered. */
    static int of(int footprint) {
        int low = 0;
        int high = SIZES.length - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (SIZES[middle] < footprint) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static int[] sizes() {
        int[] sizes = new int[ClassRecord.COUNT];
        int count = 0;
        for (double size = SMALLEST; size <= Slabs.PAGE / 2; size *= FACTOR) {
            sizes[count++] = (int) size + 7 & -8;
        }
        sizes[count++] = Slabs.PAGE / 2 & -8;
        sizes[count++] = Slabs.PAGE;
        return java.util.Arrays.copyOf(sizes, count);
    }
}
