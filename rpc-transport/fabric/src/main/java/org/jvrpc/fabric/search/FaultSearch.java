package org.jvrpc.fabric.search;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.network.LinkFaults.Fate;
import org.jvrpc.fabric.search.Trial.Fault;
import org.jvrpc.fabric.search.Trial.Setup;
import org.jvrpc.roce.wire.Psn;

/**
 * Tries random schedules of faults, each by its seed. One that fails is made smaller as long as it fails: one switch
 * instead of two tiers, fewer messages, none that finds no receive, PSNs from 0 on, fewer faults.
 */
public final class FaultSearch {

    /** A schedule that fails. */
    public record Found(Setup setup, List<Fault> faults, String violation) {

        /** Returns how many messages and faults there are. */
        public int steps() {
            return setup.messages() + setup.replies() + faults.size();
        }

        /** Returns it as a test, which passes when the fault is mended. */
        public String asTest() {
            StringBuilder test = new StringBuilder(512);
            test.append("    @Test\n    void seed").append(setup.seed()).append("() {\n")
                    .append("        // ").append(violation).append('\n')
                    .append("        assertNull(Trial.run(new Setup(").append(setup.seed()).append(", ")
                    .append(setup.tiers()).append(", ").append(setup.messages()).append(", ")
                    .append(setup.replies()).append(", ").append(setup.firstPsn()).append(", ")
                    .append(setup.refusals()).append(", ").append(setup.retries()).append(", ")
                    .append(setup.checksIcrc()).append("), List.of(");
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
    /** Faults far apart: at one port, with more frames than a window between two of them. */
    private static final int MOST_APART = 12;
    private static final int APART = 48;
    private static final int MANY_MESSAGES = 48;
    private static final int FEW_RETRIES = 2;
    /** So many packets before PSNs begin again at 0. */
    private static final int BEFORE_WRAP = 64;
    private static final int MOST_REFUSALS = 2;

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
            boolean apart = chance.below(4) == 0;
            Setup setup = setup(seed, apart, chance);
            List<Fault> faults = apart ? apart(setup, chance) : faults(setup, chance);
            if (run(setup, faults) != null) {
                return shrink(setup, faults, apart ? APART : 0);
            }
        }
        return null;
    }

    private Setup setup(long seed, boolean apart, Chance chance) {
        boolean tiers = chance.below(2) == 0;
        int most = apart ? MANY_MESSAGES : MOST_MESSAGES;
        int messages = 1 + chance.below(most);
        int psn = chance.below(2) == 0 ? Psn.MASK - chance.below(BEFORE_WRAP) : (int) chance.bits() & Psn.MASK;
        int refusals = Math.max(0, chance.below(2 * MOST_REFUSALS + 1) - MOST_REFUSALS);
        return new Setup(seed, tiers, messages, chance.below(most + 1), psn, refusals,
                apart ? Math.min(retries, FEW_RETRIES) : retries, checksIcrc);
    }

    private static List<Fault> apart(Setup setup, Chance chance) {
        List<Fault> faults = new ArrayList<>();
        int port = chance.below(setup.ports());
        long number = chance.below(APART);
        for (int i = chance.below(MOST_APART + 1); i > 0; i--) {
            faults.add(new Fault(port, number, fate(chance)));
            number += APART + chance.below(APART);
        }
        return faults;
    }

    private static Fate fate(Chance chance) {
        Fate[] fates = Fate.values();
        return fates[1 + chance.below(fates.length - 1)];
    }

    private static List<Fault> faults(Setup setup, Chance chance) {
        List<Fault> faults = new ArrayList<>();
        for (int i = chance.below(MOST_FAULTS + 1); i > 0; i--) {
            faults.add(new Fault(chance.below(setup.ports()), chance.below(FRAMES), fate(chance)));
        }
        return faults;
    }

    private String run(Setup setup, List<Fault> faults) {
        tried++;
        return Trial.run(setup, faults);
    }

    private Found shrink(Setup setup, List<Fault> faults, int apart) {
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
            for (List<Fault> next : simpler(fewest, apart)) {
                if (run(smallest, next) != null) {
                    fewest = next;
                    smaller = true;
                    break;
                }
            }
        }
        return new Found(smallest, List.copyOf(fewest), run(smallest, fewest));
    }

    /**
     * One fault less, or one earlier, so that it is no longer one of a frame that another fault draws. What was far
     * apart stays so.
     */
    private static List<List<Fault>> simpler(List<Fault> faults, int apart) {
        List<List<Fault>> all = new ArrayList<>();
        for (int i = faults.size() - 1; i >= 0; i--) {
            List<Fault> fewer = new ArrayList<>(faults);
            fewer.remove(i);
            all.add(fewer);
        }
        for (int i = 0; i < faults.size(); i++) {
            Fault fault = faults.get(i);
            long least = apart == 0 || i == 0 ? 0 : faults.get(i - 1).number() + apart;
            if (fault.number() > least) {
                all.add(earlier(faults, i, (fault.number() + least) / 2));
                all.add(earlier(faults, i, fault.number() - 1));
            }
        }
        return all;
    }

    private static List<Fault> earlier(List<Fault> faults, int index, long number) {
        List<Fault> earlier = new ArrayList<>(faults);
        Fault fault = faults.get(index);
        earlier.set(index, new Fault(fault.port(), number, fault.fate()));
        return earlier;
    }

    private static List<Setup> smaller(Setup setup) {
        List<Setup> all = new ArrayList<>();
        int messages = setup.messages();
        int replies = setup.replies();
        if (setup.tiers()) {
            all.add(setup.withTiers(false));
        }
        if (messages > 0) {
            all.add(setup.withMessages(0, replies));
            all.add(setup.withMessages(messages / 2, replies));
            all.add(setup.withMessages(messages - 1, replies));
        }
        if (replies > 0) {
            all.add(setup.withMessages(messages, 0));
            all.add(setup.withMessages(messages, replies / 2));
            all.add(setup.withMessages(messages, replies - 1));
        }
        if (setup.refusals() > 0) {
            all.add(setup.withRefusals(0));
        }
        if (setup.firstPsn() != 0) {
            all.add(setup.withFirstPsn(0));
        }
        return all;
    }

    /** Returns how many schedules were run. */
    public long tried() {
        return tried;
    }
}
