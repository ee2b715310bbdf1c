package org.jvrpc.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The processes and the folder of one benchmark run. */
public final class Run implements AutoCloseable {

    private final Path directory;
    private final Warden warden;
    private final AtomicInteger serial = new AtomicInteger();
    private final List<Child> children = new ArrayList<>();

    private final long begunNs = System.nanoTime();
    private final double busyBefore;

    private Run(Path directory, Warden warden) throws IOException {
        this.directory = directory;
        this.warden = warden;
        this.busyBefore = CpuTime.ofMachine() - ownSeconds();
    }

    /** Makes the folder, in memory where the system has a place for that. */
    public static Run open() throws IOException {
        Path shm = Path.of("/dev/shm");
        Path parent = Files.isWritable(shm) ? shm : Path.of(System.getProperty("java.io.tmpdir"));
        Path directory = Files.createTempDirectory(parent, "jvrpc-bench-");
        return new Run(directory, Warden.start(directory));
    }

    /** Returns the folder for sockets, mapped files and logs. */
    public Path directory() {
        return directory;
    }

    /**
     * Starts an end of a contender, and waits until it says that it is ready.
     *
     * @param name for messages and for its log
     * @param folder the contender's
     * @param arguments of {@link ChildMain}
     */
    public Child start(String name, Contender contender, Path folder, List<String> arguments)
            throws ContenderException {
        List<String> command = new ArrayList<>();
        if (contender.walls() != null) {
            command.addAll(contender.walls().prefix(arguments.get(0), folder));
        }
        if (contender.program().isEmpty()) {
            addJvm(command, contender.flagsOf(arguments.get(0)), classesOf(contender, folder), ChildMain.class);
        } else {
            command.addAll(contender.program());
        }
        command.addAll(arguments);
        return startProcess(name, command);
    }

    /** Starts a JVM with this one's class path and waits until it says that it is ready. */
    public Child start(String name, List<String> jvmFlags, List<String> arguments) throws ContenderException {
        List<String> command = new ArrayList<>();
        addJvm(command, jvmFlags, System.getProperty("java.class.path"), ChildMain.class);
        command.addAll(arguments);
        return startProcess(name, command);
    }

    /**
     * Starts a JVM with this one's class path and another main class, and waits until it says that it is ready.
     *
     * @param prefix a program that starts it in its own place, with its arguments; may be empty
     */
    public Child startMain(String name, List<String> prefix, List<String> jvmFlags, Class<?> main,
            List<String> arguments) throws ContenderException {
        List<String> command = new ArrayList<>(prefix);
        addJvm(command, jvmFlags, System.getProperty("java.class.path"), main);
        command.addAll(arguments);
        return startProcess(name, command);
    }

    /** Starts a program and waits until it says that it is ready. */
    public Child startProgram(String name, List<String> command) throws ContenderException {
        return startProcess(name, command);
    }

    private static void addJvm(List<String> command, List<String> jvmFlags, String classPath, Class<?> main) {
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(classPath);
        command.add(main.getName());
    }

    private static String classesOf(Contender contender, Path folder) throws ContenderException {
        String common = System.getProperty("java.class.path");
        try {
            if (contender.walls() != null) {
                common = contender.walls().classPath(common, folder);
            }
            return contender.moreClasses() == null
                    ? common
                    : common + File.pathSeparator + Files.readString(contender.moreClasses()).strip();
        } catch (IOException e) {
            throw new ContenderException(contender.name() + ": its class path cannot be read: " + e.getMessage());
        }
    }

    private Child startProcess(String name, List<String> command) throws ContenderException {
        Path log = directory.resolve(serial.incrementAndGet() + "-" + name.replace(' ', '-') + ".log");
        Child child = Child.start(name, command, log, warden);
        synchronized (children) {
            children.add(child);
        }
        child.awaitReady();
        return child;
    }

    /** Returns what processes outside of the run have used of one core since it was opened: noise in its figures. */
    public double othersCpuFraction() throws IOException {
        double others = CpuTime.ofMachine() - ownSeconds() - busyBefore;
        return Math.max(0, others * 1e9 / (System.nanoTime() - begunNs));
    }

    private double ownSeconds() throws IOException {
        double seconds = CpuTime.ofProcess(ProcessHandle.current().pid());
        synchronized (children) {
            for (Child child : children) {
                seconds += child.cpuSeconds();
            }
        }
        return seconds;
    }

    /** Makes the folder of one contender. */
    public Path folderOf(Contender contender) {
        try {
            Path folder = Files.createDirectory(directory.resolve(serial.incrementAndGet() + "-" + contender.name()));
            if (contender.walls() != null) {
                contender.walls().prepare(folder);
            }
            return folder;
        } catch (IOException e) {
            throw new IllegalStateException("cannot make a folder in " + directory + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        synchronized (children) {
            for (int i = children.size() - 1; i >= 0; i--) {
                children.get(i).close();
            }
        }
        warden.close();
    }
}
