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

    private HullProcess(List<String> options, List<String> command) {
        jvm = JavaCommand.of(Hull.class).option("-Xmx64m").readsItsInput()
                .arguments("--address", address, "--bytes", "1m", "--control", control.toString())
                .arguments(options).arguments("--").arguments(command).start();
    }

    /** Starts a hull whose application is {@link HullApp}. */
    static HullProcess of(String mode, String... options) {
        return new HullProcess(List.of(options), HullApp.command(mode).toList());
    }

    /** Starts a hull with any command. */
    static HullProcess ofCommand(List<String> command, String... options) {
        return new HullProcess(List.of(options), command);
    }

    /** Returns where the hull at an address is spoken to. */
    static Path controlOf(String address) {
        return SharedMemoryFolder.path().resolve(address.substring("shm://".length()) + ".control");
    }

    /** Waits for a line that begins so, and returns the rest of it. */
    String expect(String begin) {
        return jvm.expect(begin);
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
