package org.jvrpc.router.hostile;

import java.nio.file.Path;

/**
 * Usage: HostileContainer [--seconds S] [--seed K] [--folder PATH].
 *
 * <p>What {@link HostileTenant} has beside neighbours of its own process, as a program in a container: a tenant that
 * writes whatever it can to a router of the host, by two devices that are connected to each other. Says each second how
 * much that was. Exit code: 0; 1 when it ended before its time; 2 for wrong arguments. Files are made with the umask
 * that the router's group needs, 007.
 */
public final class HostileContainer {

    private static final long TELL_MS = 1_000;

    private HostileContainer() {
    }

    /** Runs the program. */
    public static void main(String[] args) throws InterruptedException {
        long seconds = 60;
        long seed = System.nanoTime();
        Path folder = Path.of("/run/jvrpc");
        for (int i = 0; i < args.length; i += 2) {
            String value = i + 1 < args.length ? args[i + 1] : "";
            switch (args[i]) {
                case "--seconds" -> seconds = Long.parseLong(value);
                case "--seed" -> seed = Long.parseLong(value);
                case "--folder" -> folder = Path.of(value);
                default -> {
                    System.err.println("no such option: " + args[i]);
                    System.exit(2);
                }
            }
        }
        Mutator mutator = new Mutator(folder, folder, seed, Long.MAX_VALUE, seconds);
        Thread thread = new Thread(mutator, "mutator");
        thread.setDaemon(true);
        thread.start();
        while (thread.isAlive()) {
            thread.join(TELL_MS);
            System.out.println("hostile: seed=" + seed + " mutations=" + mutator.mutations + " devices="
                    + 2 * mutator.lives.get());
        }
        if (mutator.trouble != null) {
            mutator.trouble.printStackTrace();
            System.exit(1);
        }
    }
}
