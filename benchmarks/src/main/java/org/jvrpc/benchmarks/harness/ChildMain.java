package org.jvrpc.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jvrpc.benchmarks.Contenders;
import org.jvrpc.benchmarks.router.RouterContenders;

/**
 * The main class of every process of a run: {@code server NAME FOLDER CLIENTS}, {@code client NAME ADDRESS INDEX}
 * or {@code third NAME FOLDER}.
 */
public final class ChildMain {

    private ChildMain() {
    }

    /** Runs one end until standard input ends. */
    public static void main(String[] args) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        int exitCode = 1;
        try {
            Contender contender = contender(args[1]);
            if (args[0].equals(Walls.SERVER)) {
                serve(contender, Path.of(args[2]), Integer.parseInt(args[3]), answers);
            } else if (args[0].equals(Walls.THIRD)) {
                stand(contender, Path.of(args[2]), answers);
            } else {
                call(contender, args[2], Integer.parseInt(args[3]), answers);
            }
            exitCode = 0;
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            answers.println(Commands.failure(e));
            answers.flush();
        }
        System.exit(exitCode);
    }

    /** Those of the router have no classes but jvRPC's where they are other users; the others' are not asked for. */
    private static Contender contender(String name) {
        return RouterContenders.all().stream().filter(contender -> contender.name().equals(name)).findFirst()
                .orElseGet(() -> Contenders.byName(name));
    }

    private static BufferedReader input() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }

    private static void serve(Contender contender, Path folder, int clients, PrintStream answers) throws Exception {
        try (ServerEnd end = contender.server().get()) {
            answers.println("OK " + end.start(folder, clients));
            answers.flush();
            serveUntilEnd(input(), answers);
        }
    }

    private static void stand(Contender contender, Path folder, PrintStream answers) throws Exception {
        try (ThirdEnd end = contender.third().get()) {
            end.start(folder);
            answers.println("OK");
            answers.flush();
            serveUntilEnd(input(), answers);
        }
    }

    /** What a server is asked while it serves: of its heap, how much its threads have allocated, of its compilers. */
    private static void serveUntilEnd(BufferedReader input, PrintStream answers) throws IOException {
        String line = input.readLine();
        while (line != null) {
            answers.println("OK " + switch (line) {
                case "compiled" -> Compiled.ms();
                case "heap" -> Memory.heap();
                default -> Allocated.byOtherThreads();
            });
            answers.flush();
            line = input.readLine();
        }
    }

    private static void call(Contender contender, String address, int index, PrintStream answers) throws Exception {
        try (ClientEnd end = contender.client().get()) {
            end.connect(address, index);
            answers.println("OK");
            answers.flush();
            Commands commands = new Commands(end, address, System.err);
            BufferedReader input = input();
            String line = input.readLine();
            while (line != null) {
                answers.println(commands.execute(line));
                answers.flush();
                line = input.readLine();
            }
        }
    }
}
