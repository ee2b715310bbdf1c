package org.jvrpc.softrnic.proxy;

/**
 * What becomes of each packet, by the direction in which it goes and its number there: equal seeds say the same of
 * equal numbers, whoever the peers are.
 *
 * @param loss probability that a packet does not arrive; the others alike, one of them at most befalls a packet
 * @param damage that it arrives with a wrong bit
 * @param doubles that it arrives twice
 * @param late that one to four others overtake it
 */
public record FaultSchedule(long seed, double loss, double damage, double doubles, double late) {

    /** What becomes of a packet. */
    public enum Fate {
        /** It arrives. */
        ARRIVES,
        /** It does not. */
        LOST,
        /** Its ICRC is wrong. */
        DAMAGED,
        /** It arrives, and again at once. */
        TWICE,
        /** Others overtake it. */
        LATE
    }

    private static final double UNIT = 0x1p-53;

    /** Returns one that does nothing. */
    public static FaultSchedule none() {
        return new FaultSchedule(0, 0, 0, 0, 0);
    }

    private long bits(int direction, long number, int what) {
        long z = seed + 0x9e3779b97f4a7c15L * (number * 16 + direction * 8 + what + 1);
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** @param direction 0 or 1 */
    public Fate fate(int direction, long number) {
        double chance = (bits(direction, number, 0) >>> 11) * UNIT;
        double[] most = {loss, damage, doubles, late};
        Fate[] fates = {Fate.LOST, Fate.DAMAGED, Fate.TWICE, Fate.LATE};
        for (int i = 0; i < most.length; i++) {
            if (chance < most[i]) {
                return fates[i];
            }
            chance -= most[i];
        }
        return Fate.ARRIVES;
    }

    /** Returns which bit of so many is damaged. */
    int bit(int direction, long number, int bits) {
        return (int) ((bits(direction, number, 1) >>> 33) % bits);
    }

    /** Returns how many packets overtake a late one. */
    int overtaking(int direction, long number) {
        return 1 + (int) (bits(direction, number, 2) >>> 62);
    }
}
