package org.jvrpc.ibverbs.core;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.Context;
import org.jvrpc.ibverbs.binding.Layouts.DeviceAttr;
import org.jvrpc.ibverbs.binding.Layouts.PortAttr;
import org.jvrpc.ibverbs.binding.LibIbverbs;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.Ops;
import org.jvrpc.verbs.VerbsException;

/** An opened device: {@code struct ibv_context}, one of its ports, its limits. Any thread. */
public final class RdmaContext implements AutoCloseable {

    private static final Path VERBS = Path.of("/sys/class/infiniband_verbs");

    private final LibIbverbs lib;
    private final String name;
    private final long address;
    private final int commandFd;
    private final DeviceFile commands;
    private final int asyncFd;
    private final Ops ops;
    private final RdmaLimits limits;
    private final boolean rxe;
    private volatile RdmaPort port;
    private final Queue<Runnable> onClose = new ConcurrentLinkedQueue<>();
    /** Threads in libibverbs hold it for reading, the closer of the device for writing. Nobody waits to read. */
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
    private volatile boolean closing;
    private volatile boolean closed;

    private RdmaContext(LibIbverbs lib, String name, long address, int portNumber, int gidIndex) {
        this.lib = lib;
        this.name = name;
        this.address = address;
        // The only driver that names a parent network device in sysfs.
        this.rxe = Files.exists(Path.of("/sys/class/infiniband", name, "parent"));
        this.commandFd = Native.intAt(address + Context.CMD_FD);
        this.commands = new DeviceFile(commandFd);
        this.asyncFd = Native.intAt(address + Context.ASYNC_FD);
        this.ops = new Ops(address);
        Native attr = Native.allocate(DeviceAttr.BYTES);
        if (lib.ibv_query_device(address, attr.address()) != 0) {
            throw NativeException.last("query_device", "device=" + name);
        }
        this.limits = RdmaLimits.read(attr);
        this.port = queryPort(portNumber, gidIndex);
    }

    /** Returns the names of the devices that libibverbs knows. @throws VerbsException when it is not there */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        forEach((device, name) -> {
            names.add(name);
            return false;
        });
        return names;
    }

    private interface Visitor {
        boolean visit(long device, String name);
    }

    private static void forEach(Visitor visitor) {
        LibIbverbs lib = Libraries.ibverbs();
        Native count = Native.allocate(8);
        long list = lib.ibv_get_device_list(count.address());
        if (list == 0) {
            throw NativeException.of("get_device_list", Libraries.errno(), "no list of RDMA devices",
                    "is the module ib_uverbs loaded? modprobe ib_uverbs");
        }
        try {
            for (int i = 0; i < count.getInt(0); i++) {
                long device = Native.pointerAt(list + 8L * i);
                if (visitor.visit(device, lib.ibv_get_device_name(device))) {
                    return;
                }
            }
        } finally {
            lib.ibv_free_device_list(list);
        }
    }

    /** Returns why a device did not open: libibverbs tries several ways, and tells the reason of the last one. */
    private static int refusal(String device, int errno) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(VERBS, "uverbs*")) {
            for (Path file : files) {
                Path node = Path.of("/dev/infiniband").resolve(file.getFileName());
                if (Files.readString(file.resolve("ibdev")).strip().equals(device) && Files.exists(node)
                        && !(Files.isReadable(node) && Files.isWritable(node))) {
                    return Errno.EACCES;
                }
            }
        } catch (IOException e) {
            return errno; // no such folder: what libibverbs says is all there is
        }
        return errno;
    }

    /**
     * Opens a device.
     *
     * @param wanted its name, for instance {@code rxe0}
     * @param port 1 and up
     * @param gidIndex of the source GID, or -1 to choose: the first of an IPv4 address, else the first that is set
     * @throws VerbsException when there is no such device, no right, or no port: the message says what helps
     */
    public static RdmaContext open(String wanted, int port, int gidIndex) {
        LibIbverbs lib = Libraries.ibverbs();
        long[] context = new long[1];
        List<String> seen = new ArrayList<>();
        forEach((device, name) -> {
            seen.add(name);
            if (!name.equals(wanted)) {
                return false;
            }
            context[0] = lib.ibv_open_device(device);
            if (context[0] == 0) {
                throw NativeException.of("open_device", refusal(wanted, Libraries.errno()), "device=" + wanted,
                        "this user needs to read and write /dev/infiniband/uverbs*");
            }
            return true;
        });
        if (context[0] == 0) {
            throw new VerbsException("open_device", "no RDMA device of the name " + wanted + "; there are " + seen);
        }
        try {
            return new RdmaContext(lib, wanted, context[0], port, gidIndex);
        } catch (RuntimeException e) {
            lib.ibv_close_device(context[0]);
            throw e;
        }
    }

    /** Takes a {@code struct ibv_context} that somebody else opened; closes it, too. */
    public static RdmaContext of(LibIbverbs lib, String name, long context, int port, int gidIndex) {
        return new RdmaContext(lib, name, context, port, gidIndex);
    }

    private RdmaPort queryPort(int number, int gidIndex) {
        Native attr = Native.allocate(PortAttr.BYTES + 64);
        int error = lib.ibv_query_port(address, number, attr.address());
        if (error != 0) {
            throw NativeException.of("query_port", error, "device=" + name + " port=" + number);
        }
        int index = gidIndex >= 0 ? gidIndex : choose(number, attr.getInt(PortAttr.GID_TBL_LEN));
        return new RdmaPort(number, attr.getInt(PortAttr.STATE), attr.getInt(PortAttr.ACTIVE_MTU),
                attr.getShort(PortAttr.LID), attr.getByte(PortAttr.LINK_LAYER) == Ibv.LINK_LAYER_ETHERNET, index,
                gid(number, index));
    }

    private int choose(int number, int count) {
        int set = 0;
        for (int i = count - 1; i >= 0; i--) {
            Gid gid = gid(number, i);
            if (gid.isIpv4() && SysGids.isRoceV2(name, number, i)) {
                set = i;
            } else if (!gid.isZero() && !gid(number, set).isIpv4()) {
                set = i;
            }
        }
        return set;
    }

    private Gid gid(int number, int index) {
        Native gid = Native.allocate(Gid.BYTES);
        if (lib.ibv_query_gid(address, number, index, gid.address()) != 0) {
            throw NativeException.last("query_gid", "device=" + name + " port=" + number + " index=" + index);
        }
        return new Gid(gid.getBytes(0, Gid.BYTES));
    }

    /** Returns the port as it was when the device was opened, or looked at last. */
    public RdmaPort port() {
        return port;
    }

    /** Looks at the port again. */
    public RdmaPort refreshPort() {
        RdmaPort fresh = whileOpen("query_port", () -> queryPort(port.number(), port.gidIndex()));
        port = fresh;
        return fresh;
    }

    /** Returns the device's limits. */
    public RdmaLimits limits() {
        return limits;
    }

    /** Returns the device's name. */
    public String name() {
        return name;
    }

    /** Returns true for a device of rdma_rxe, the software RNIC of Linux. */
    public boolean isRxe() {
        return rxe;
    }

    /** Returns the address of the {@code struct ibv_context}. */
    public long address() {
        if (closed) {
            throw new VerbsException("open_device", "device is closed, name=" + name);
        }
        return address;
    }

    /** Returns true after {@link #close()}: libibverbs must not be called for anything made by the device any more. */
    public boolean isClosed() {
        return closed;
    }

    /** Returns the file descriptor of commands, for who maps memory of the device and is in {@link #whileOpen}. */
    public int commandFd() {
        return commandFd;
    }

    /** Returns the file of commands, and of software devices' doorbells. */
    public CommandFile commands() {
        return commands;
    }

    /** Returns the file descriptor of asynchronous events. */
    public int asyncFd() {
        return asyncFd;
    }

    /** Returns the data path functions. */
    public Ops ops() {
        return ops;
    }

    /** Returns libibverbs. */
    public LibIbverbs lib() {
        return lib;
    }

    /** Has something run when the device is closed, before the kernel ends what was made by it. */
    public void onClose(Runnable action) {
        onClose.add(action);
    }

    /**
     * Calls libibverbs for something of the device, which is not closed meanwhile. May be nested. The call must not
     * wait for other threads, as the closer of the device waits for it.
     *
     * @return what the call returns
     * @throws VerbsException when the device is closed, or about to be
     */
    public <T> T whileOpen(String operation, Supplier<T> call) {
        if (!enter()) {
            throw new VerbsException(operation, "device is closed, name=" + name);
        }
        try {
            return call.get();
        } finally {
            use.readLock().unlock();
        }
    }

    /**
     * Likewise, for the end of something. A device that is closed, or about to be, ends all that was made by it: the
     * call is left out.
     */
    public void whileOpen(Runnable call) {
        if (enter()) {
            try {
                call.run();
            } finally {
                use.readLock().unlock();
            }
        }
    }

    private boolean enter() {
        boolean inside = use.getReadHoldCount() > 0 || use.isWriteLockedByCurrentThread();
        if (closing && !inside || !use.readLock().tryLock()) {
            return false;
        }
        if (closed) {
            use.readLock().unlock();
            return false;
        }
        return true;
    }

    /** Ends what was made by the device, and the device, once nobody is in libibverbs any more for it. */
    @Override
    public void close() {
        if (use.getReadHoldCount() > 0) {
            throw new IllegalStateException("device cannot be closed inside a call for it, name=" + name);
        }
        closing = true;
        use.writeLock().lock();
        try {
            if (!closed) {
                end();
            }
        } finally {
            use.writeLock().unlock();
        }
    }

    private void end() {
        try {
            runAll(onClose.iterator());
        } finally {
            closed = true;
            commands.close();
            lib.ibv_close_device(address);
        }
    }

    /** Runs each, whatever those before it throw. */
    private static void runAll(Iterator<Runnable> actions) {
        if (actions.hasNext()) {
            try {
                actions.next().run();
            } finally {
                runAll(actions);
            }
        }
    }
}
