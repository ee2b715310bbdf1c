package org.jvrpc.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A child's view of the process that started it: what is told either way, by lines, and its death, which ends the
 * child at once. {@link JavaCommand} starts every child here, which then runs the main method of the class that was
 * asked for.
 */
public final class Parent {

    /** Exit status of a child whose parent is gone: 0, so that a hull between them does not start another. */
    public static final int ORPHAN = 0;

    private static final BlockingQueue<String> TOLD = new LinkedBlockingQueue<>();

    private Parent() {
    }

    /** Tells the parent a line. Lines of several threads do not mix. */
    public static void say(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }

    /** Waits without a limit for a line that the parent tells, and returns it. */
    public static String told() throws InterruptedException {
        return TOLD.take();
    }

    /** Does nothing until the process ends. */
    public static void idle() throws InterruptedException {
        Thread.currentThread().join();
    }

    private static void watch() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                TOLD.add(line);
            }
        } catch (IOException e) {
            say("standard input: " + e);
        }
        Runtime.getRuntime().halt(ORPHAN);
    }

    /** Runs {@code CLASS ARGUMENT...}. Exit status 1 when its main method throws. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(Parent::watch, "parent-watch");
        watch.setDaemon(true);
        watch.start();
        Method main = Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true); // test classes are package-private
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            System.err.print("Exception in thread \"main\" "); // as if nobody had called it
            e.getCause().printStackTrace();
            System.exit(1);
        }
    }
}
