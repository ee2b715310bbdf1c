package org.jvrpc.benchmarks.soak.role;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jvrpc.benchmarks.soak.audit.Holdings;

/** The main class of a campaign's processes. A line of standard input is a command, and one comes back for each. */
public final class CampaignMain {

    private CampaignMain() {
    }

    /** Runs one process until its input ends, or it is told to end. */
    public static void main(String[] args) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        Environs environs = Environs.parse(args);
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            thrown.printStackTrace();
            environs.notes().add("thread " + thread.getName() + " died", thrown);
        });
        Role role = roleOf(environs);
        say(answers, "OK");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = input.readLine();
        while (line != null) {
            say(answers, answer(role, line));
            line = line.equals("end") ? null : input.readLine();
        }
        System.exit(0);
    }

    private static Role roleOf(Environs environs) throws Exception {
        return switch (environs.place().role()) {
            case SERVER -> new ServerRole(environs);
            case MODEST, GREEDY -> new CallerRole(environs);
            case SENDER, READER -> new MessageRole(environs);
        };
    }

    private static String answer(Role role, String line) {
        String[] words = line.split(" ");
        try {
            switch (words[0]) {
                case "sample" -> {
                    return "OK " + Holdings.settled();
                }
                case "end" -> {
                    role.end();
                    return "OK";
                }
                default -> {
                    return "OK " + role.execute(words);
                }
            }
        } catch (Exception | LinkageError | AssertionError e) {
            e.printStackTrace();
            return "FAIL " + line + ": " + String.valueOf(e).replace('\n', ' ');
        }
    }

    private static void say(PrintStream answers, String line) {
        answers.println(line);
        answers.flush();
    }
}
