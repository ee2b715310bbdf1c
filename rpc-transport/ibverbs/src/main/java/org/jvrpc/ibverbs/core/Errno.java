package org.jvrpc.ibverbs.core;

/** Names of the error numbers that verbs give. Source: errno(3), Linux on x86-64 and arm64. */
public final class Errno {

    /** Not permitted. */
    public static final int EPERM = 1;
    /** No such device or file. */
    public static final int ENOENT = 2;
    /** A signal came. */
    public static final int EINTR = 4;
    /** The device is gone. */
    public static final int EIO = 5;
    /** Nothing there now. */
    public static final int EAGAIN = 11;
    /** Out of memory, or past the limit of locked memory. */
    public static final int ENOMEM = 12;
    /** No right. */
    public static final int EACCES = 13;
    /** Not a valid address of this process. */
    public static final int EFAULT = 14;
    /** In use. */
    public static final int EBUSY = 16;
    /** No such device. */
    public static final int ENODEV = 19;
    /** Makes no sense to the kernel. */
    public static final int EINVAL = 22;
    /** Not implemented. */
    public static final int ENOSYS = 38;
    /** Not supported. */
    public static final int EOPNOTSUPP = 95;
    /** Address in use. */
    public static final int EADDRINUSE = 98;
    /** Not an address of this host. */
    public static final int EADDRNOTAVAIL = 99;
    /** No route. */
    public static final int ENETUNREACH = 101;
    /** Time is over. */
    public static final int ETIMEDOUT = 110;
    /** Nobody listens. */
    public static final int ECONNREFUSED = 111;
    /** No route to the host. */
    public static final int EHOSTUNREACH = 113;

    private Errno() {
    }

    /** Returns name, number and meaning. */
    public static String describe(int errno) {
        return switch (errno) {
            case EPERM -> "EPERM (1), operation not permitted";
            case ENOENT -> "ENOENT (2), no such file or device";
            case EINTR -> "EINTR (4), interrupted";
            case EIO -> "EIO (5), the device is gone";
            case EAGAIN -> "EAGAIN (11), a limit of the device or nothing there now";
            case ENOMEM -> "ENOMEM (12), out of memory, or past a limit: locked memory, or the device's";
            case EACCES -> "EACCES (13), permission denied";
            case EFAULT -> "EFAULT (14), bad address";
            case EBUSY -> "EBUSY (16), in use";
            case ENODEV -> "ENODEV (19), no such device";
            case EINVAL -> "EINVAL (22), invalid argument";
            case ENOSYS -> "ENOSYS (38), not implemented";
            case EOPNOTSUPP -> "EOPNOTSUPP (95), not supported by the device";
            case EADDRINUSE -> "EADDRINUSE (98), address in use";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL (99), not an address of this host";
            case ENETUNREACH -> "ENETUNREACH (101), no route";
            case ETIMEDOUT -> "ETIMEDOUT (110), no answer in time";
            case ECONNREFUSED -> "ECONNREFUSED (111), nobody listens";
            case EHOSTUNREACH -> "EHOSTUNREACH (113), no route to the host";
            default -> "errno=" + errno;
        };
    }
}
