package org.jvrpc.benchmarks.soak;

import java.util.List;
import java.util.function.Consumer;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.soak.audit.Holdings;
import org.jvrpc.benchmarks.soak.audit.Journal;
import org.jvrpc.benchmarks.soak.audit.Leak;
import org.jvrpc.benchmarks.soak.audit.Slopes;
import org.jvrpc.benchmarks.soak.plan.Place;

/** Brings the processes to rest when all faults are healed, and samples there what they hold. One thread. */
final class Rest {

    private static final long LIMIT_NS = 60_000_000_000L;
    private static final int LOOK_MS = 50;
    private static final Leak FILES = new Leak("files", 40);
    private static final Leak FILE_KIB = new Leak("file KiB", 32 * 1024);
    private static final Leak SLOTS = new Leak("slots lost", 0);
    private static final Leak CREDITS = new Leak("credits lost", 0);

    private final List<Member> members;
    private final SharedMemory memory;
    private final Journal journal;
    private final Consumer<String> violations;
    private final Slopes slopes = new Slopes();
    private int firstCredits;

    /** What is waited for. */
    private interface Condition {
        boolean holds() throws ContenderException;
    }

    Rest(List<Member> members, SharedMemory memory, Journal journal, Consumer<String> violations) {
        this.members = members;
        this.memory = memory;
        this.journal = journal;
        this.violations = violations;
    }

    /** Lets clients begin. */
    void go() throws ContenderException {
        tellClients("go");
    }

    private void tellClients(String command) throws ContenderException {
        for (Member member : members) {
            if (!member.place().isServer()) {
                member.ask(command);
            }
        }
    }

    /** Has clients end, and waits until nothing is under way anywhere. */
    void await() throws ContenderException, InterruptedException {
        tellClients("rest");
        for (Member member : members) {
            String name = member.place().name();
            if (member.place().isServer()) {
                until(name + " still has calls in handlers", () -> "0".equals(member.ask("running")));
            } else {
                until(name + " has no connection", () -> "true".equals(member.ask("connected")));
                until(name + " still has something under way", () -> "0".equals(member.ask("under-way")));
            }
        }
        long[] runs = {-1};
        until("calls run that nobody waits for", () -> runs[0] == (runs[0] = runs()));
    }

    private long runs() {
        long runs = 0;
        for (Member member : members) {
            int place = member.place().number();
            for (int index = 0; index < journal.begun(place); index++) {
                runs += journal.runs(place, index);
            }
        }
        return runs;
    }

    private void until(String what, Condition condition) throws ContenderException, InterruptedException {
        long endNs = System.nanoTime() + LIMIT_NS;
        while (!condition.holds()) {
            if (System.nanoTime() - endNs > 0) {
                violations.accept(what + ' ' + LIMIT_NS / 1_000_000_000 + " s after all was healed");
                return;
            }
            Thread.sleep(LOOK_MS);
        }
    }

    /** Samples what lives through the campaign, and the host. While all rests. */
    void sample() throws ContenderException, InterruptedException {
        for (Member member : members) {
            Place place = member.place();
            if (!place.mortal()) {
                if (place.isCaller()) {
                    probe(member);
                }
                String[] words = member.ask("sample").split(" ");
                for (int i = 0; i < words.length; i++) {
                    slopes.add(place.name(), Holdings.FIGURES.get(i), Long.parseLong(words[i]));
                }
            }
        }
        slopes.add("host", FILES, memory.files().size());
        slopes.add("host", FILE_KIB, memory.kib());
    }

    /** Counts a client's free slots and credits by using all of them. */
    private void probe(Member member) throws ContenderException, InterruptedException {
        String name = member.place().name();
        slopes.add(name, SLOTS, Integer.parseInt(member.ask("slots-lost")));
        Member server = members.get(0);
        member.ask("hold");
        until("the poller of " + server.place().name() + " cannot be held up",
                () -> "true".equals(server.ask("held")));
        int credits = Integer.parseInt(member.ask("credits"));
        server.ask("release");
        firstCredits = firstCredits == 0 ? credits : firstCredits;
        slopes.add(name, CREDITS, firstCredits - credits);
    }

    Slopes slopes() {
        return slopes;
    }
}
