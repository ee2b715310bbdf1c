package org.jvrpc.ibverbs;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.ibverbs.cm.ConnectionManager;
import org.jvrpc.ibverbs.cm.Remote;
import org.jvrpc.ibverbs.core.Driver;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.ibverbs.core.QpStates;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/** An RDMA device of this host. Any thread. */
final class RdmaDevice implements Device {

    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    private final RdmaContext context;
    private final Driver driver;
    private final ConnectionManager manager;
    private final Set<RdmaEventChannel> channels = ConcurrentHashMap.newKeySet();

    private RdmaDevice(RdmaContext context, Driver driver) {
        this.context = context;
        this.driver = driver;
        this.manager = new ConnectionManager(context);
    }

    /**
     * Opens a device.
     *
     * @param driver {@code user}, {@code generic}, or null for the best there is
     * @throws VerbsException when it is not there, this user has no right to it, or it has no such driver
     */
    static RdmaDevice open(String name, String driver, int gidIndex) {
        RdmaContext context = RdmaContext.open(name, 1, gidIndex);
        try {
            RdmaDevice device = new RdmaDevice(context, Drivers.choose(context, driver));
            Gid gid = context.port().gid();
            if (gid.isIpv4()) {
                device.manager.watch(gid.ipv4());
            }
            return device;
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return context.name() + " (" + driver.name() + ")";
    }

    @Override
    public long longestSendNs() {
        return QpStates.LONGEST_SEND_NS;
    }

    @Override
    public boolean isLost() {
        return manager.isLost();
    }

    @Override
    public String trouble() {
        return manager.trouble();
    }

    @Override
    public Map<String, Long> counters() {
        return HwCounters.read(DEVICES, context.name(), context.port().number());
    }

    @Override
    public int maxRequestBytes() {
        return ConnectionManager.maxRequestBytes();
    }

    @Override
    public int maxAnswerBytes() {
        return ConnectionManager.maxAnswerBytes();
    }

    @Override
    public int maxDatagramBytes() {
        return context.port().mtuBytes();
    }

    @Override
    public ProtectionDomain allocatePd() {
        return RdmaDomain.allocate(context, driver);
    }

    @Override
    public CompletionQueue createCq(CompletionQueueAttributes attributes) {
        return context.whileOpen("create_cq", () -> driver.createCq(attributes));
    }

    @Override
    public EventChannel createChannel() {
        RdmaEventChannel channel = RdmaEventChannel.create(context);
        channels.add(channel);
        channel.onClose(() -> channels.remove(channel));
        return channel;
    }

    @Override
    public Listener listen(String address, EventChannel channel) {
        RdmaAddress parsed = RdmaAddress.parse(address);
        expectThisDevice("listen", address, parsed);
        InetAddress host = Hosts.resolve("listen", address, parsed.host());
        String refusal = RdmaDeviceProvider.loopback(address, host);
        if (refusal != null) {
            throw new VerbsException("listen", refusal);
        }
        return manager.listen(new Remote(address, host, parsed.port(), null), channel);
    }

    @Override
    public Connection connect(
            String address, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs) {
        RdmaAddress parsed = RdmaAddress.parse(address);
        expectThisDevice("connect", address, parsed);
        if (parsed.port() == 0) {
            throw new IllegalArgumentException("address=" + address + " names no port to connect to");
        }
        InetAddress host = Hosts.resolve("connect", address, parsed.host());
        String refusal = RdmaDeviceProvider.loopback(address, host);
        if (refusal != null) {
            throw new ConnectionException(Reason.LOCAL, refusal, null);
        }
        return manager.connect(new Remote(address, host, parsed.port(), source(address, parsed, host)),
                qp, privateData, channel, timeoutNs);
    }

    private void expectThisDevice(String operation, String address, RdmaAddress parsed) {
        if (parsed.device() != null && !parsed.device().equals(context.name())) {
            throw new VerbsException(operation, "address=" + address + " is of another device than " + context.name());
        }
    }

    /** Returns what the address says, or else the device's own address, where it has one of the host's kind. */
    private InetAddress source(String address, RdmaAddress parsed, InetAddress host) {
        if (parsed.from() != null) {
            return Hosts.resolve("connect", address, parsed.from());
        }
        Gid gid = context.port().gid();
        return gid.isIpv4() && host instanceof Inet4Address ? gid.ipv4() : null;
    }

    @Override
    public void close() {
        manager.close();
        channels.forEach(RdmaEventChannel::close);
        context.close();
    }
}
