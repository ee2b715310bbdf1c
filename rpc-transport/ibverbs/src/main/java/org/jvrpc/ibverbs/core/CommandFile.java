package org.jvrpc.ibverbs.core;

import org.jvrpc.ibverbs.binding.Native;

/** The file that takes commands of the kernel's verbs. Any thread. */
@FunctionalInterface
public interface CommandFile {

    /** Writes a command; true when the kernel took it. The answer lies where the command says. Allocates nothing. */
    boolean write(Native command, int bytes);

    /** Returns true when the device was closed, and the file with it. */
    default boolean isClosed() {
        return false;
    }
}
