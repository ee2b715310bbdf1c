package org.jvrpc.benchmarks.soak;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.soak.audit.Audit;
import org.jvrpc.benchmarks.soak.audit.CallEnd;
import org.jvrpc.benchmarks.soak.audit.Journal;
import org.jvrpc.benchmarks.soak.audit.Notes;
import org.jvrpc.benchmarks.soak.plan.Campaign;
import org.jvrpc.benchmarks.soak.plan.Fault;
import org.jvrpc.benchmarks.soak.plan.Place;
import org.jvrpc.benchmarks.soak.role.CampaignMain;
import org.jvrpc.benchmarks.soak.role.Environs;

/** Runs a campaign: its processes, round after round, and the end. One thread. */
final class CampaignRun implements AutoCloseable {

    private static final List<String> FLAGS = List.of("-Xms160m", "-Xmx160m", "-XX:+AlwaysPreTouch",
            "-XX:+UseSerialGC");

    private final Campaign campaign;
    private final List<String> flags;
    private final PrintStream out;
    private final Run run;
    private final SharedMemory memory;
    private final Journal journal;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final int[] killedAt;
    private final List<Outcome.Violation> violations = Collections.synchronizedList(new ArrayList<>());
    private final Map<CallEnd, Long> ends = new EnumMap<>(CallEnd.class);
    private final Injector injector;
    private final Rest rest;
    private volatile int round;

    private CampaignRun(Campaign campaign, List<String> flags, PrintStream out) throws Exception {
        this.campaign = campaign;
        this.flags = flags;
        this.out = out;
        this.run = Run.open();
        this.memory = SharedMemory.open(run);
        this.journal = Journal.open(Environs.journal(run.directory()), regions());
        this.killedAt = new int[regions()];
        for (Place place : campaign.places()) {
            members.put(place.name(), new Member(place, this::start));
        }
        this.injector = new Injector(members, memory, this::noteKilled, this::violation);
        this.rest = new Rest(List.copyOf(members.values()), memory, journal, this::violation);
    }

    /**
     * Runs a campaign to its end.
     *
     * @param flags more flags of its JVMs
     */
    static Outcome run(Campaign campaign, List<String> flags, PrintStream out) throws Exception {
        try (CampaignRun all = new CampaignRun(campaign, flags, out)) {
            all.runRounds();
            return all.outcome();
        }
    }

    private void runRounds() throws Exception {
        try {
            for (Member member : members.values()) {
                member.start();
            }
            rest.await();
            for (int number : campaign.rounds()) {
                round(number);
            }
            end();
        } catch (ContenderException e) {
            violation("a process failed, and the campaign ends here: " + e.getMessage());
        }
    }

    private int regions() {
        return campaign.places().stream().mapToInt(Place::number).max().orElse(0) + 1;
    }

    private Child start(Place place, int life) throws ContenderException {
        List<String> jvm = new ArrayList<>(FLAGS);
        jvm.add("-Djvrpc.shm.dir=" + memory.folder());
        jvm.addAll(flags);
        int servers = (int) campaign.places().stream().filter(Place::isServer).count();
        return run.startMain(place.name() + ' ' + life, memory.prefix(), jvm, CampaignMain.class,
                Environs.arguments(run.directory(), place, regions(), servers, campaign.seed() * 1000 + life * 10L));
    }

    private void noteKilled(Member member) {
        int place = member.place().number();
        killedAt[place] = journal.begun(place);
    }

    private void violation(String text) {
        violations.add(new Outcome.Violation(round, text));
        out.println("    VIOLATION " + text);
    }

    private void round(int number) throws Exception {
        round = number;
        journal.beginRound(number, regions());
        Arrays.fill(killedAt, 0);
        rest.go();
        List<Fault> faults = campaign.faultsOf(number);
        injector.run(faults, campaign.loadMs());
        rest.await();
        Audit audit = new Audit(journal);
        for (Place place : campaign.places()) {
            audit.judge(place.number(), place.name(), killedAt[place.number()]);
        }
        audit.violations().forEach(this::violation);
        Notes.take(Environs.notes(run.directory())).forEach(this::violation);
        audit.ends().forEach((end, count) -> ends.merge(end, count, Long::sum));
        rest.sample();
        out.printf(Locale.ROOT, "  round %3d  %2d faults, %s%n", number, faults.size(), audit.ends());
    }

    private void end() throws Exception {
        round = 0;
        for (Member member : members.values()) {
            if (!member.place().isServer()) {
                member.end();
            }
        }
        for (Member member : members.values()) {
            member.end();
            if (!member.isGone()) {
                violation("a process of " + member.place().name() + " is left");
            }
        }
        Notes.take(Environs.notes(run.directory())).forEach(this::violation);
        for (Path file : memory.files()) {
            if (!file.getFileName().toString().equals("names.lock")) {
                violation("a file is left: " + file.getFileName());
            }
        }
    }

    private Outcome outcome() {
        List<String> skipped = memory.canFill() ? List.of() : List.of("FULL: this user may not mount a tmpfs");
        return new Outcome(List.copyOf(violations), rest.slopes().leaks(), rest.slopes(), ends, injector.done(),
                skipped);
    }

    @Override
    public void close() {
        injector.close();
        members.values().forEach(Member::resume);
        run.close();
    }
}
