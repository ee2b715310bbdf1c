package org.jvrpc.testkit;

/** Stands beside a failure of a test with faults, to be read in its trace. */
final class FaultSeedNote extends Exception {

    private static final long serialVersionUID = 1L;

    FaultSeedNote(long seed, long struck) {
        super("faults befell calls=" + struck + " by seed=" + seed + ": run again with -D" + JvrpcExtension.SEED + "="
                + seed, null, false, false);
    }

    @Override
    public String toString() {
        return getMessage();
    }
}
