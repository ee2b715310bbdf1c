package org.jvrpc.ibverbs.binding;

import jnr.ffi.LastError;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
import org.jvrpc.verbs.VerbsException;

/** The libraries, loaded when the first of them is asked for. Any thread. */
public final class Libraries {

    /** With a library's name behind it: where else it lies, for hosts that have it in a place of its own. */
    private static final String PROPERTY = "jvrpc.library.";

    private Libraries() {
    }

    /** Loads each once, and keeps the failure. */
    private static final class Loaded<T> {

        private final T library;
        private final Throwable failure;

        Loaded(Class<T> type, String name) {
            T found = null;
            Throwable thrown = null;
            try {
                found = LibraryLoader.create(type).failImmediately().load(System.getProperty(PROPERTY + name, name));
            } catch (UnsatisfiedLinkError | RuntimeException | NoClassDefFoundError e) {
                thrown = e;
            }
            this.library = found;
            this.failure = thrown;
        }

        T get(String what) {
            if (library == null) {
                throw new VerbsException("load", what + "; cause: " + firstLine(String.valueOf(failure.getMessage())),
                        failure);
            }
            return library;
        }

        /** Behind it, JNR says where it has looked. */
        private static String firstLine(String message) {
            return message.lines().findFirst().orElse(message);
        }
    }

    private static final class C {
        static final Loaded<LibC> LOADED = new Loaded<>(LibC.class, "c");
    }

    private static final class Ibverbs {
        static final Loaded<LibIbverbs> LOADED = new Loaded<>(LibIbverbs.class, "ibverbs");
    }

    private static final class Rdmacm {
        static final Loaded<LibRdmacm> LOADED = new Loaded<>(LibRdmacm.class, "rdmacm");
    }

    private static final class Mlx5 {
        /** By its full name: hosts without rdma-core's development files have no other. */
        static final Loaded<LibMlx5> LOADED = new Loaded<>(LibMlx5.class, "libmlx5.so.1");
    }

    /** Returns libc. @throws VerbsException when native access is refused */
    public static LibC c() {
        return C.LOADED.get("libc cannot be called; if this JVM refuses native access, start it with"
                + " --enable-native-access=ALL-UNNAMED");
    }

    /** Returns libibverbs. @throws VerbsException when it is not there: the message says what to install */
    public static LibIbverbs ibverbs() {
        c();
        return Ibverbs.LOADED.get("libibverbs is missing; install rdma-core's library and providers"
                + " (Debian: libibverbs1 ibverbs-providers, Red Hat: libibverbs rdma-core)");
    }

    /** Returns librdmacm. @throws VerbsException when it is not there: the message says what to install */
    public static LibRdmacm rdmacm() {
        ibverbs();
        return Rdmacm.LOADED.get("librdmacm is missing; install it (Debian: librdmacm1, Red Hat: librdmacm)");
    }

    /** Returns libmlx5. @throws VerbsException when it is not there: the message says what to install */
    public static LibMlx5 mlx5() {
        ibverbs();
        return Mlx5.LOADED.get("libmlx5 is missing, which drives this card; install it (Debian: ibverbs-providers, Red"
                + " Hat: libibverbs), or use driver=generic");
    }

    /** Returns what the last call of this thread left in {@code errno}. */
    public static int errno() {
        return LastError.getLastError(Runtime.getSystemRuntime());
    }
}
