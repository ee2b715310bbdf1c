package org.jvrpc.benchmarks.harness;

import java.nio.file.Path;
import java.time.Duration;
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
 * @param warmUpFactor how many times the usual warm-up it needs until its code is compiled
 * @param sharesClient false when threads of a client process cannot each have a pipeline
 * @param program what to run in place of a JVM, with its first arguments; empty for a JVM
 * @param moreClasses a file with a class path that both JVMs need behind this one's; null for most
 */
public record Contender(
        String name,
        Supplier<? extends ServerEnd> server,
        Supplier<? extends ClientEnd> client,
        List<String> jvmFlags,
        double warmUpFactor,
        boolean sharesClient,
        List<String> program,
        Path moreClasses) {

    /** A contender without flags and with the usual warm-up. */
    public Contender(String name, Supplier<? extends ServerEnd> server, Supplier<? extends ClientEnd> client) {
        this(name, server, client, List.of(), 1.0, true, List.of(), null);
    }

    /** Returns this contender with flags for its JVMs. */
    public Contender withFlags(String... flags) {
        return new Contender(name, server, client, List.of(flags), warmUpFactor, sharesClient, program, moreClasses);
    }

    /** Returns this contender as one whose client end serves one thread only. */
    public Contender withOneThread() {
        return new Contender(name, server, client, jvmFlags, warmUpFactor, false, program, moreClasses);
    }

    /** Returns how long this contender warms up. */
    public Duration warmUp(Duration usual) {
        return Duration.ofNanos(Math.round(usual.toNanos() * warmUpFactor));
    }

    /** Returns this contender with a longer or shorter warm-up. */
    public Contender withWarmUpFactor(double factor) {
        return new Contender(name, server, client, jvmFlags, factor, sharesClient, program, moreClasses);
    }

    /** Returns this contender with more classes than others have. @param file holds their class path */
    public Contender withClasses(Path file) {
        return new Contender(name, server, client, jvmFlags, warmUpFactor, sharesClient, program, file);
    }

    /** A contender whose two ends are a program. */
    public static Contender ofProgram(String name, List<String> program) {
        return new Contender(name, null, null, List.of(), 1.0, true, List.copyOf(program), null);
    }
}
