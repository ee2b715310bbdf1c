package org.jvrpc.fabric.network;

/**
 * How a switch divides its memory. A lane of an ingress port has some for itself; then it takes of what is shared, as
 * long as it holds less than alpha times what nobody holds; when it is lossless, then of its headroom, while it pauses
 * the other end.
 *
 * @param totalBytes of the switch: 9 or 12 MB in SIGCOMM'16
 * @param reservedBytes of each lane of each port
 * @param headroomBytes of each lossless lane of each port, see {@link Pause#headroomBytes}
 * @param alpha 1/16 for instance; without meaning where the bound is fixed
 * @param fixedBytes bound of each lane, instead of alpha times what is free; 0: dynamic
 * @param hysteresisBytes a pause ends when so much less is held than made it begin
 */
public record BufferSettings(long totalBytes, int reservedBytes, int headroomBytes, double alpha, long fixedBytes,
        int hysteresisBytes) {

    /** Checks the ranges. */
    public BufferSettings {
        if (totalBytes <= 0 || reservedBytes < 0 || headroomBytes < 0 || !(alpha > 0) || fixedBytes < 0
                || hysteresisBytes < 0) {
            throw new IllegalArgumentException("totalBytes=" + totalBytes + " reservedBytes=" + reservedBytes
                    + " headroomBytes=" + headroomBytes + " alpha=" + alpha + " fixedBytes=" + fixedBytes
                    + " hysteresisBytes=" + hysteresisBytes);
        }
    }

    /** Returns 12 MB, 4 KB a lane as in HPCC, alpha 1/16, resumption 3 KB below. */
    public static BufferSettings defaults() {
        return new BufferSettings(12_000_000, 4096, 40_000, 1.0 / 16, 0, 3072);
    }

    public BufferSettings withTotal(long bytes) {
        return new BufferSettings(bytes, reservedBytes, headroomBytes, alpha, fixedBytes, hysteresisBytes);
    }

    public BufferSettings withHeadroom(int bytes) {
        return new BufferSettings(totalBytes, reservedBytes, bytes, alpha, fixedBytes, hysteresisBytes);
    }

    public BufferSettings withAlpha(double newAlpha) {
        return new BufferSettings(totalBytes, reservedBytes, headroomBytes, newAlpha, 0, hysteresisBytes);
    }

    public BufferSettings withFixed(long bytes) {
        return new BufferSettings(totalBytes, reservedBytes, headroomBytes, alpha, bytes, hysteresisBytes);
    }
}
