package org.jvrpc.testing.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jvrpc.testing.Parent;

/**
 * Records operations as they are done. One that was begun and not ended is pending: it failed in a way that does not
 * tell whether it took effect, or its process was killed. Any thread.
 */
public final class History {

    private static final String CALLED = "CALLED ";
    private static final String ENDED = "ENDED ";
    private static final AtomicLong TOLD = new AtomicLong();

    private final Queue<Running> all = new ConcurrentLinkedQueue<>();

    /** An operation that was begun. */
    public static final class Running {

        private final String who;
        private final String key;
        private final Object call;
        private final long startNs;
        private volatile Operation ended;

        Running(String who, String key, Object call, long startNs) {
            this.who = who;
            this.key = key;
            this.call = call;
            this.startNs = startNs;
        }

        /** Ends it, now. */
        public void end(Object answer) {
            end(answer, System.nanoTime());
        }

        void end(Object answer, long endNs) {
            ended = new Operation(who, key, call, answer, startNs, endNs);
        }

        Operation operation() {
            Operation now = ended;
            return now != null ? now : new Operation(who, key, call, null, startNs, Operation.NEVER);
        }
    }

    /** Begins an operation, now. */
    public Running begin(String who, String key, Object call) {
        Running running = new Running(who, key, call, System.nanoTime());
        all.add(running);
        return running;
    }

    /** Does an operation, which stays pending when it throws. @return the answer */
    public <T> T record(String who, String key, Object call, Supplier<T> operation) {
        Running running = begin(who, key, call);
        T answer = operation.get();
        running.end(answer);
        return answer;
    }

    /** Returns what was done so far. */
    public List<Operation> operations() {
        return all.stream().map(Running::operation).toList();
    }

    // ---- of other processes

    /** In a child process: tells the parent that an operation begins. @return has its answer told */
    public static Consumer<Object> tell(String who, String key, Object call) {
        long id = TOLD.incrementAndGet();
        Parent.say(CALLED + id + " " + System.nanoTime() + " " + who + " " + key + " " + call);
        return answer -> {
            long endNs = System.nanoTime();
            Parent.say(ENDED + id + " " + endNs + " " + answer);
        };
    }

    /**
     * Takes over what one child has told; what it did not tell the end of is pending.
     *
     * @param lines its output; others than {@link #tell} says are passed over
     * @return how many operations
     */
    public int add(List<String> lines, Function<String, ?> calls, Function<String, ?> answers) {
        Map<String, Running> byId = new HashMap<>();
        for (String line : lines) {
            if (line.startsWith(CALLED)) {
                String[] words = line.split(" ", 6);
                byId.put(words[1], new Running(words[3], words[4], calls.apply(words[5]), Long.parseLong(words[2])));
            } else if (line.startsWith(ENDED)) {
                String[] words = line.split(" ", 4);
                byId.get(words[1]).end(answers.apply(words[3]), Long.parseLong(words[2]));
            }
        }
        all.addAll(new ArrayList<>(byId.values()));
        return byId.size();
    }
}
