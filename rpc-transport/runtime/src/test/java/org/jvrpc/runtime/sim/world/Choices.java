package org.jvrpc.runtime.sim.world;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a simulation decides by: a seed, or a {@link Script} of what was decided before. Whoever decides has a stream of
 * choices of its own, so that one choice that is made otherwise does not change the meaning of all that follow.
 */
public final class Choices {

    private final SplittableRandom random;
    private final Script script;
    private final Map<String, Stream> streams = new LinkedHashMap<>();

    private Choices(SplittableRandom random, Script script) {
        this.random = random;
        this.script = script;
    }

    public static Choices seeded(long seed) {
        return new Choices(new SplittableRandom(seed), null);
    }

    public static Choices scripted(Script script) {
        return new Choices(null, script);
    }

    /** Returns the choices of one who decides. */
    public Stream of(String who) {
        return streams.computeIfAbsent(who, Stream::new);
    }

    /** Returns what was chosen up to now. */
    public Script made() {
        Script made = new Script();
        streams.forEach((who, stream) -> made.put(who, stream.made()));
        return made;
    }

    /**
     * The choices of one who decides: numbers from 0 on, of which 0 is what happens if nothing special does. A script
     * that is over goes on with zeros, so that a choice less makes it simpler.
     */
    public final class Stream {

        private final Map<Integer, Integer> scripted;
        /** Numbers and choices of those that are not 0, in turn. */
        private int[] made = new int[16];
        private int length;
        private int count;

        private Stream(String who) {
            scripted = script == null ? Map.of() : script.of(who, Map.of());
        }

        /** Returns 0 to {@code bound} - 1, each as often. */
        public int pick(int bound) {
            return choose(bound, 1);
        }

        /** Returns true once in so many times. */
        public boolean rarely(int oneIn) {
            return choose(2, oneIn) != 0;
        }

        /** Returns 0 to {@code bound} - 1, but 0 unless it is the one time in so many. */
        public int choose(int bound, int oneIn) {
            int choice;
            if (random == null) {
                choice = scripted(bound);
            } else if (oneIn > 1) {
                choice = random.nextInt(oneIn) == 0 ? 1 + random.nextInt(bound - 1) : 0;
            } else {
                choice = random.nextInt(bound);
            }
            return note(choice);
        }

        /**
         * Returns after how many times something happens that happens once in so many: 0 to {@code most}, which is the
         * choice 0, as it happens then in any case.
         */
        public int wait(int most, int oneIn) {
            int choice = 0;
            if (random == null) {
                choice = scripted(most + 1);
            } else { // at the nth time with the chance that it did not happen before
                double times = Math.log(1 - random.nextDouble()) / Math.log(1 - 1.0 / oneIn);
                choice = times < most ? most - (int) times : 0;
            }
            return most - note(choice);
        }

        private int scripted(int bound) {
            return Math.min(scripted.getOrDefault(count, 0), bound - 1);
        }

        private int note(int choice) {
            if (choice != 0) {
                if (length == made.length) {
                    made = Arrays.copyOf(made, 2 * length);
                }
                made[length++] = count;
                made[length++] = choice;
            }
            count++;
            return choice;
        }

        private Map<Integer, Integer> made() {
            Map<Integer, Integer> all = new LinkedHashMap<>();
            for (int i = 0; i < length; i += 2) {
                all.put(made[i], made[i + 1]);
            }
            return all;
        }
    }
}
