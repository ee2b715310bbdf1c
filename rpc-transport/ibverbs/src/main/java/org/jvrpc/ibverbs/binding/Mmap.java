package org.jvrpc.ibverbs.binding;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;

/**
 * mmap(2), which has six parameters: the stubs that jnr-ffi 2.3.4 assembles on x86-64 pass garbage as the sixth of an
 * interface's method, so it is called without one. No other function that is used has more than five.
 */
public final class Mmap {

    private static final CallContext CONTEXT = new CallContext(
            Type.POINTER, Type.POINTER, Type.ULONG, Type.SINT32, Type.SINT32, Type.SINT32, Type.SLONG);
    private static final long ADDRESS = Library.getDefault().getSymbolAddress("mmap");

    private Mmap() {
    }

    /**
     * Maps memory, of a file or anonymous, where the kernel likes.
     *
     * @return its address, or -1 on failure; {@link Libraries#errno()} says why
     */
    public static long mmap(long length, int prot, int flags, int fd, long offset) {
        return Invoker.getInstance().invokeN6(CONTEXT, ADDRESS, 0, length, prot, flags, fd, offset);
    }
}
