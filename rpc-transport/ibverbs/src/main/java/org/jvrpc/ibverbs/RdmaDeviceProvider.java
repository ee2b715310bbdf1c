package org.jvrpc.ibverbs;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.cm.DeviceSearch;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceInfo;
import org.jvrpc.verbs.DeviceProvider;
import org.jvrpc.verbs.VerbsException;

/** Opens RDMA devices for {@code rdma://host:port}. */
public final class RdmaDeviceProvider implements DeviceProvider {

    private static final String NO_DEVICE = "this host has no RDMA device; a software one is made by:"
            + " modprobe rdma_rxe; rdma link add rxe0 type rxe netdev NAME-OF-A-NETWORK-DEVICE";
    /** The longest wait for a remote host's address to be resolved. */
    private static final int FIND_TIMEOUT_MS = 2000;

    @Override
    public String scheme() {
        return "rdma";
    }

    @Override
    public Device open() {
        List<String> names = RdmaContext.names();
        if (names.isEmpty()) {
            throw new VerbsException("open_device", NO_DEVICE);
        }
        return RdmaDevice.open(names.get(0), null, -1);
    }

    @Override
    public Device open(String address) {
        RdmaAddress parsed = RdmaAddress.parse(address);
        String name = parsed.device() != null ? parsed.device() : find(address, parsed);
        return RdmaDevice.open(name, parsed.driver(), parsed.gidIndex());
    }

    /**
     * Returns why an address cannot be served or reached by any RDMA device, or null: none leads to 127.0.0.1. rdma_cm
     * would take any one for it, and then not connect.
     */
    static String loopback(String address, InetAddress host) {
        if (!host.isLoopbackAddress()) {
            return null;
        }
        List<String> names = RdmaContext.names();
        return "address=" + address + ": " + host.getHostAddress() + " is of the loopback interface, to which no RDMA"
                + " device leads: "
                + (names.isEmpty() ? NO_DEVICE : "use the address of a device; there are " + describe(names));
    }

    /** Finds the device that has the address, or the one that leads there. */
    private static String find(String address, RdmaAddress parsed) {
        List<String> names = RdmaContext.names();
        String near = parsed.from() != null ? parsed.from() : parsed.host();
        InetAddress host = Hosts.resolve("open_device", address, near);
        String refusal = loopback(address, host);
        if (refusal != null) {
            throw new VerbsException("open_device", refusal);
        }
        if (names.size() == 1 || host.isAnyLocalAddress() && !names.isEmpty()) {
            if (names.size() > 1) {
                throw new VerbsException("open_device", "address=" + address + " is of all devices, there are "
                        + describe(names) + ": name one by ?device=");
            }
            return names.get(0);
        }
        String found = DeviceSearch.local(host);
        if (found == null && parsed.from() == null) {
            found = DeviceSearch.towards(host, FIND_TIMEOUT_MS);
        }
        if (found == null) {
            throw new VerbsException("open_device", "address=" + address + ": " + host.getHostAddress()
                    + (parsed.from() == null ? " is not of, and is not reached by," : " is not of")
                    + " an RDMA device of this host; "
                    + (names.isEmpty() ? NO_DEVICE : "there are " + describe(names)));
        }
        return found;
    }

    private static String describe(List<String> names) {
        List<String> described = new ArrayList<>();
        for (String name : names) {
            try (RdmaContext context = RdmaContext.open(name, 1, -1)) {
                described.add(name + " at " + context.port().gid());
            } catch (VerbsException e) {
                described.add(name + ": " + e.getMessage());
            }
        }
        return described.toString();
    }

    @Override
    public List<DeviceInfo> list() {
        List<DeviceInfo> found = new ArrayList<>();
        try {
            for (String name : RdmaContext.names()) {
                found.add(new DeviceInfo(name, scheme(), state(name)));
            }
        } catch (VerbsException e) {
            found.add(new DeviceInfo("none", scheme(), e.getMessage()));
        }
        return found;
    }

    private static String state(String name) {
        try (RdmaContext context = RdmaContext.open(name, 1, -1)) {
            return context.port().state() == Ibv.PORT_ACTIVE ? DeviceInfo.READY
                    : "port 1 is down, state=" + context.port().state() + ": bring its network device up";
        } catch (VerbsException e) {
            return e.getMessage();
        }
    }
}
