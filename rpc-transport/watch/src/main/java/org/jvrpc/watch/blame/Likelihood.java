package org.jvrpc.watch.blame;

/** How well chance explains what was seen. */
final class Likelihood {

    /** 95 % on one side. */
    private static final double Z = 1.6449;

    private Likelihood() {
    }

    /**
     * Returns the natural log-likelihood ratio of "bad with the share that was seen" against "bad with a base rate"; 0
     * when the share is not above the base.
     */
    static double ratio(long trials, long bad, double base) {
        if (bad == 0 || bad <= trials * base) {
            return 0;
        }
        double share = (double) bad / trials;
        double good = trials == bad ? 0 : (trials - bad) * Math.log((1 - share) / (1 - base));
        return bad * Math.log(share / base) + good;
    }

    /** Returns the lower 95 % bound of a share. Source: Wilson, JASA 22 (1927). */
    static double lowerBound(long trials, long bad) {
        if (trials == 0) {
            return 0;
        }
        double share = (double) bad / trials;
        double square = Z * Z / trials;
        double middle = share + square / 2;
        double half = Z * Math.sqrt(share * (1 - share) / trials + square / (4 * trials));
        return Math.max(0, (middle - half) / (1 + square));
    }
}
