package org.jvrpc.ibverbs.card;

import java.lang.ref.Reference;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.RdmaContext;

/** The file that takes commands of the kernel's verbs. Any thread. */
@FunctionalInterface
interface CommandFile {

    /** Writes a command; true when the kernel took it. The answer lies where the command says. */
    boolean write(Native command, int bytes);

    /** Returns that of a device. */
    static CommandFile of(RdmaContext context) {
        return (command, bytes) -> {
            long written = Libraries.c().write(context.commandFd(), command.address(), bytes);
            Reference.reachabilityFence(command);
            return written == bytes;
        };
    }
}
