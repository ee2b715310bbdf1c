package org.jvrpc.ibverbs.core;

/** Codes of the RNR timer. Source: IBA volume 1, 9.7.5.2.8, table of 32 values. */
final class RnrTimer {

    /** By code, in microseconds; code 0 is the longest. */
    private static final int[] MICROS = {
        655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920, 2560, 3840, 5120, 7680, 10_240,
        15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760, 327_680, 491_520
    };

    private RnrTimer() {
    }

    /** Returns the code of the least time that is not less. */
    static int code(long ns) {
        for (int code = 1; code < MICROS.length; code++) {
            if (MICROS[code] * 1000L >= ns) {
                return code;
            }
        }
        return 0;
    }
}
