package org.jvrpc.ibverbs.binding;

import jnr.ffi.types.size_t;
import jnr.ffi.types.ssize_t;
import jnr.ffi.types.uintptr_t;

/** What is used of libc. Documentation: section 2 of the manual. */
public interface LibC {

    /** For {@link Mmap}. */
    int PROT_READ = 1;
    /** For {@link Mmap}. */
    int PROT_WRITE = 2;
    /** For {@link Mmap}. */
    int MAP_SHARED = 1;
    /** For {@link Mmap}. */
    int MAP_PRIVATE = 2;
    /** For {@link Mmap}. */
    int MAP_ANONYMOUS = 0x20;
    /** For {@link #fcntl}. */
    int F_GETFL = 3;
    /** For {@link #fcntl}. */
    int F_SETFL = 4;
    /** A flag of {@link #fcntl} and {@link #eventfd}. */
    int O_NONBLOCK = 0x800;
    /** A flag of {@link #eventfd}. */
    int EFD_CLOEXEC = 0x80000;
    /** An event of {@link #ppoll}. */
    int POLLIN = 1;

    /** Writes; the doorbell of software devices. */
    @ssize_t long write(int fd, @uintptr_t long buffer, @size_t long count);

    /** Reads. */
    @ssize_t long read(int fd, @uintptr_t long buffer, @size_t long count);

    /**
     * Waits for events of file descriptors.
     *
     * @param fds {@link WorkLayouts.PollFd}
     * @param timeout {@code struct timespec}: seconds and nanoseconds, 8 bytes each; 0 to wait for ever
     * @param signals 0
     */
    int ppoll(@uintptr_t long fds, @size_t long count, @uintptr_t long timeout, @uintptr_t long signals);

    /** Takes a mapping back. */
    int munmap(@uintptr_t long address, @size_t long length);

    /** Keeps a forked child from sharing, and so from copying, pages that a device writes. */
    int madvise(@uintptr_t long address, @size_t long length, int advice);

    /** Changes flags of a file descriptor. */
    int fcntl(int fd, int command, long argument);

    /** Makes a counter that can be waited for by {@link #ppoll}. */
    int eventfd(int initial, int flags);

    /** Closes. */
    int close(int fd);

    /** Tells where a socket is bound; {@code length} is a 4-byte number, the room at {@code address} and its use. */
    int getsockname(int fd, @uintptr_t long address, @uintptr_t long length);

    /** Reads an option of a socket; {@code length} as above. */
    int getsockopt(int fd, int level, int option, @uintptr_t long value, @uintptr_t long length);

    /** Changes an option of a socket. */
    int setsockopt(int fd, int level, int option, @uintptr_t long value, int length);

    /** Reads a limit of the process; {@code limit} is two 8-byte numbers, soft and hard. */
    int getrlimit(int resource, @uintptr_t long limit);
}
