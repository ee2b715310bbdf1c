package org.jvrpc.fabric.search;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.network.LinkFaults.Fate;
import org.jvrpc.fabric.search.Trial.Fault;
import org.jvrpc.fabric.search.Trial.Setup;

/**
 * Tries random schedules of faults, each by its seed. One that fails is made smaller as long as it fails: one switch
 * instead of two tiers, fewer messages, fewer faults.
 */
public final class FaultSearch {

    /** A schedule that fails. */
    public record Found(Setup setup, List<Fault> faults, String violation) {

        /** Returns it as a test, which passes when the fault is mended. */
        public String asTest() {
            StringBuilder test = new StringBuilder(512);
            test.append("    @Test\n    void seed").append(setup.seed()).append("() {\n")
                    .append("        // ").append(violation).append('\n')
                    .append("        assertNull(Trial.run(new Setup(").append(setup.seed()).append(", ")
                    .append(setup.tiers()).append(", ").append(setup.messages()).append(", ")
                    .append(setup.retries()).append(", ").append(setup.checksIcrc()).append("), List.of(");
            for (int i = 0; i < faults.size(); i++) {
                Fault fault = faults.get(i);
                test.append(i == 0 ? "" : ",").append("\n                new Fault(").append(fault.port()).append(", ")
                        .append(fault.number()).append(", Fate.").append(fault.fate()).append(')');
            }
            return test.append(")));\n    }\n").toString();
        }
    }

    private static final int MOST_FAULTS = 6;
    private static final int MOST_MESSAGES = 16;
    private static final int FRAMES = 200;

    private final int retries;
    private final boolean checksIcrc;
    private long tried;

    /** For {@link Setup}s with these values, which are 7 and true for what should not fail. */
    public FaultSearch(int retries, boolean checksIcrc) {
        this.retries = retries;
        this.checksIcrc = checksIcrc;
    }

    /** Tries so many seeds from the first on; returns the first that fails, made smaller; null when none does. */
    public Found search(long firstSeed, long count) {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            Chance chance = new Chance(seed).fork(0);
            Setup setup = new Setup(seed, chance.below(2) == 0, 1 + chance.below(MOST_MESSAGES), retries, checksIcrc);
            List<Fault> faults = faults(setup, chance);
            if (run(setup, faults) != null) {
                return shrink(setup, faults);
            }
        }
        return null;
    }

    private static List<Fault> faults(Setup setup, Chance chance) {
        List<Fault> faults = new ArrayList<>();
        Fate[] fates = Fate.values();
        for (int i = chance.below(MOST_FAULTS + 1); i > 0; i--) {
            faults.add(new Fault(chance.below(setup.ports()), chance.below(FRAMES),
                    fates[1 + chance.below(fates.length - 1)]));
        }
        return faults;
    }

    private String run(Setup setup, List<Fault> faults) {
        tried++;
        return Trial.run(setup, faults);
    }

    private Found shrink(Setup setup, List<Fault> faults) {
        Setup smallest = setup;
        List<Fault> fewest = faults;
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (Setup next : smaller(smallest)) {
                if (run(next, fewest) != null) {
                    smallest = next;
                    smaller = true;
                    break;
                }
            }
            for (int i = fewest.size() - 1; i >= 0; i--) {
                List<Fault> fewer = new ArrayList<>(fewest);
                fewer.remove(i);
                if (run(smallest, fewer) != null) {
                    fewest = fewer;
                    smaller = true;
                }
            }
        }
        return new Found(smallest, List.copyOf(fewest), run(smallest, fewest));
    }

    private static List<Setup> smaller(Setup setup) {
        List<Setup> all = new ArrayList<>();
        if (setup.tiers()) {
            all.add(new Setup(setup.seed(), false, setup.messages(), setup.retries(), setup.checksIcrc()));
        }
        if (setup.messages() > 1) {
            all.add(with(setup, setup.messages() / 2));
            all.add(with(setup, setup.messages() - 1));
        }
        return all;
    }

    private static Setup with(Setup setup, int messages) {
        return new Setup(setup.seed(), setup.tiers(), messages, setup.retries(), setup.checksIcrc());
    }

    /** Returns how many schedules were run. */
    public long tried() {
        return tried;
    }

    /**
     * Searches, and prints what was found.
     *
     * @param args first seed, count
     */
    public static void main(String[] args) {
        FaultSearch search = new FaultSearch(7, true);
        Found found = search.search(Long.parseLong(args[0]), Long.parseLong(args[1]));
        System.out.println("tried=" + search.tried() + " from seed " + args[0]
                + (found == null ? ", no violation" : "\n" + found.asTest()));
    }
}
