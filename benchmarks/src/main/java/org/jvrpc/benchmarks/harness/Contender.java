package org.jvrpc.benchmarks.harness;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * One way to make a call from process to process: a server end and a client end, each run in a process of its own: a
 * JVM, or a program that is told the same by its arguments and standard input and answers the same, see
 * {@link ChildMain} and {@link Commands}; times in the form of {@link TimeCounts}.
 *
 * @param name as it stands in tables and figures
 * @param server makes the server end, in its process
 * @param client makes the client end, in its process
 * @param jvmFlags that both JVMs need; empty for most
 * @param leastCalls that a warm-up makes
 * @param sharesClient false when threads of a client process cannot each have a pipeline
 * @param program what to run in place of a JVM, with its first arguments; empty for a JVM
 * @param moreClasses a file with a class path that both JVMs need behind this one's; null for most
 * @param third makes what runs in a process between the two ends, in that process; null for most
 * @param walls what the processes are kept apart by; null for most
 */
public record Contender(
        String name,
        Supplier<? extends ServerEnd> server,
        Supplier<? extends ClientEnd> client,
        List<String> jvmFlags,
        long leastCalls,
        boolean sharesClient,
        List<String> program,
        Path moreClasses,
        Supplier<? extends ThirdEnd> third,
        Walls walls) {

    /** Stands in flags for the end whose JVM has them. */
    static final String END = "{end}";

    /** HotSpot compiles a method for good after some ten thousand calls. */
    private static final long LEAST_CALLS = 20_000;

    /** A contender without flags and with the usual least number of calls. */
    public Contender(String name, Supplier<? extends ServerEnd> server, Supplier<? extends ClientEnd> client) {
        this(name, server, client, List.of(), LEAST_CALLS, true, List.of(), null, null, null);
    }

    /** Returns this contender with flags for its JVMs. */
    public Contender withFlags(String... flags) {
        return new Contender(name, server, client, List.of(flags), leastCalls, sharesClient, program, moreClasses,
                third, walls);
    }

    /** Returns the flags of one end's JVM. @param end {@code server} or {@code client}, what {@link #END} stands for */
    List<String> flagsOf(String end) {
        return jvmFlags.stream().map(flag -> flag.replace(END, end)).toList();
    }

    /** Returns this contender as one whose client end serves one thread only. */
    public Contender withOneThread() {
        return new Contender(name, server, client, jvmFlags, leastCalls, false, program, moreClasses, third, walls);
    }

    /** Returns this contender with another least number of calls to warm up. */
    public Contender withLeastCalls(long calls) {
        return new Contender(name, server, client, jvmFlags, calls, sharesClient, program, moreClasses, third, walls);
    }

    /** Returns this contender with more classes than others have. @param file holds their class path */
    public Contender withClasses(Path file) {
        return new Contender(name, server, client, jvmFlags, leastCalls, sharesClient, program, file, third, walls);
    }

    /** Returns this contender with a process between its ends, which is started first. */
    public Contender withThird(Supplier<? extends ThirdEnd> between) {
        return new Contender(name, server, client, jvmFlags, leastCalls, sharesClient, program, moreClasses, between,
                walls);
    }

    /** Returns this contender with walls between its processes. */
    public Contender withWalls(Walls apart) {
        return new Contender(name, server, client, jvmFlags, leastCalls, sharesClient, program, moreClasses, third,
                apart);
    }

    /** A contender whose two ends are a program. */
    public static Contender ofProgram(String name, List<String> program) {
        return new Contender(name, null, null, List.of(), 0, true, List.copyOf(program), null, null, null);
    }
}
