package org.jvrpc.softrnic.memory;

/**
 * Asks the virtual machine for the error of memory that was mapped and is not there. Compiled code notes that it
 * touched some, and goes on; the error comes with the next call into the machine that looks for it, perhaps long
 * afterwards, perhaps never. Neither a system call, nor a wait, nor the allocation of one object is such a call. Any
 * thread.
 *
 * <p>A virtual machine survives loads, stores and bulk copies of buffers there. On JDK 17 and 25 it does not survive a
 * compare-and-set that is interpreted, a compare-and-exchange that C1 compiled, CRC32 and CRC32C, and, compiled by C2,
 * the load of an int of a view in host order whose sign is extended to a long at once.
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
