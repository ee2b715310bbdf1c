package org.jvrpc.watch.blame;

/**
 * All limits of the blamer. They follow from the arithmetic beside them and stand here alone: no kind of failure
 * has a limit of its own that another has not.
 */
final class Thresholds {

    /** A sound path loses so many: far more than links do, which lose 1 in 10^8 and fewer. */
    static final double LOSS = 1e-4;

    /** So many of a sound path are beyond {@link Baselines#lateNs}, by its definition. */
    static final double LATE = 1e-3;

    /** So many of a sound path are beyond {@link Baselines#shiftedNs}, by its definition. */
    static final double SHIFTED = 0.1;

    /** So many of a sound host's delays are beyond {@link Baselines#delayNs}, by its definition. */
    static final double DELAYED = 1e-3;

    /** Natural log-likelihood ratio: 10^4 suspects x 2,880 windows a day x e^-25 = 4e-4 false ones a day. */
    static final double STRENGTH = 25;

    /** Beyond it, one window is enough. */
    static final double AT_ONCE = 60;

    /** Else it is seen in so many windows in a row. */
    static final int WINDOWS = 2;

    /** Over up to so many windows evidence is added up. */
    static final int KEPT_WINDOWS = 3;

    /** What a restriction to a size or a service level has to bring. */
    static final double RESTRICTION = 2;

    /** Fewer bad ones are chance. */
    static final int BAD = 5;

    /** Of fewer pairs: these may be sick themselves. */
    static final int PAIRS = 3;

    /** A single prober that is sick blames nobody. */
    static final int PROBERS = 2;

    /** Lower 95 % bound of the share that is lost: below it, nobody is woken. */
    static final double LEAST_LOSS = 0.005;

    /** As {@link #LEAST_LOSS}, of late ones. */
    static final double LEAST_LATE = 5 * LATE;

    /** As {@link #LEAST_LOSS}, of those that are shifted: a busy link shifts many, a slow one nearly all. */
    static final double LEAST_SHIFTED = 0.8;

    /** As {@link #LEAST_LOSS}, of delays: a pause of a hundredth of a window. */
    static final double LEAST_DELAYED = 5 * DELAYED;

    /** All are lost from such a share on. */
    static final double ALL = 0.98;

    /** By so much (natural logarithm) flows must be better told as whole or dead than as losing by chance. */
    static final double BIMODAL = 10;

    /** Probability of a flow that is neither whole nor dead, when flows are one or the other. */
    static final double NEITHER = 1e-3;

    /** So many of the lost must be found as damaged packets at receivers. */
    static final double DAMAGED = 0.5;

    /** A class is judged when it has learnt so many. */
    static final long LEARNT = 1_000;

    static final double LATE_FACTOR = 1.5;
    static final long LATE_NS = 2_000;
    static final double SHIFT_FACTOR = 1.05;
    static final long SHIFT_NS = 300;

    /** A link is slow when long probes lose so many times what short ones do; else something else delays them. */
    static final double SLOPE = 2;

    /** Over so many windows outages are counted: five minutes, when a window is 30 s. */
    static final int REMEMBERED = 10;

    /** Who had so many flaps: one that failed, was repaired and failed again had two. */
    static final int OUTAGES = 3;

    /** By so much (natural logarithm) a window must be better told as sound than as lossy, to end an outage. */
    static final double SOUND = 10;

    private Thresholds() {
    }
}
