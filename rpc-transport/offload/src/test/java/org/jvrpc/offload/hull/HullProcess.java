package org.jvrpc.offload.hull;

import java.nio.file.Path;
import java.util.List;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.SharedMemoryFolder;

/** A hull in a process of its own, with its application. What both say are lines. */
final class HullProcess implements AutoCloseable {

    final String address = SharedMemoryFolder.freshAddress();
    final Path control = controlOf(address);
    final ChildJvm jvm;

    private HullProcess(List<String> options, List<String> command, List<String> startedBy) {
        jvm = JavaCommand.of(Hull.class).option("-Xmx64m").readsItsInput().startedBy(startedBy)
                .arguments("--address", address, "--bytes", "1m", "--control", control.toString())
                .arguments(options).arguments("--").arguments(command).start();
    }

    /** Starts a hull whose application is {@link HullApp}. */
    static HullProcess of(String mode, String... options) {
        return new HullProcess(List.of(options), HullApp.command(mode).toList(), List.of());
    }

    /**
     * As {@link #of}, by a shell that outlives the hull: the end of a child closes its pipes in this JVM, with which
     * the application would end, too, and of which nothing more could be read.
     */
    static HullProcess outlived(String mode) {
        return new HullProcess(List.of(), HullApp.command(mode).toList(),
                List.of("sh", "-c", "\"$@\"; echo ended with $?; exec cat", "sh"));
    }

    /** Starts a hull with any command. */
    static HullProcess ofCommand(List<String> command, String... options) {
        return new HullProcess(List.of(options), command, List.of());
    }

    /** Returns where the hull at an address is spoken to. */
    static Path controlOf(String address) {
        return SharedMemoryFolder.path().resolve(address.substring("shm://".length()) + ".control");
    }

    /** Waits for a line that begins so, and returns the rest of it. */
    String expect(String begin) {
        return jvm.expect(begin);
    }

    /** Waits until the hull has said the number of its process, and returns it. */
    long process() {
        String told = expect("hull: address=");
        return Long.parseLong(told.substring(told.lastIndexOf(' ') + 1));
    }

    /** Waits for the hull's end and returns its exit status. */
    int end() {
        return jvm.exitStatus();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
