package org.jvrpc.softrnic.memory;

/**
 * Asks the virtual machine for the error of memory that was mapped and is not there. Compiled code notes that it
 * touched some, and goes on; the error comes with the next call into the machine that looks for it, perhaps long
 * afterwards, perhaps never. Neither a system call, nor a wait, nor the allocation of one object is such a call. Any
 * thread.
 */
public final class LateFaults {

    /** Not final: with a length that the compiler does not know it has to call the machine. */
    private static int none;
    private static Object last;

    private LateFaults() {
    }

    /** Has it told now, in about 100 ns. @throws InternalError when memory was not there that this thread touched */
    public static void tell() {
        last = new byte[none][0];
    }
}
