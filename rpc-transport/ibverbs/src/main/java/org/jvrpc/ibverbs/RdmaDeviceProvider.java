package org.jvrpc.ibverbs;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceInfo;
import org.jvrpc.verbs.DeviceProvider;
import org.jvrpc.verbs.VerbsException;

/** Opens RDMA devices for {@code rdma://host:port}. */
public final class RdmaDeviceProvider implements DeviceProvider {

    @Override
    public String scheme() {
        return "rdma";
    }

    @Override
    public Device open() {
        List<String> names = RdmaContext.names();
        if (names.isEmpty()) {
            throw new VerbsException("open_device", "this host has no RDMA device; a software one is made by:"
                    + " modprobe rdma_rxe; rdma link add rxe0 type rxe netdev NAME-OF-A-NETWORK-DEVICE");
        }
        return RdmaDevice.open(names.get(0), null, -1);
    }

    @Override
    public Device open(String address) {
        RdmaAddress parsed = RdmaAddress.parse(address);
        if (parsed.device() == null) {
            return open(); // by the address, once connection management is there
        }
        return RdmaDevice.open(parsed.device(), parsed.driver(), parsed.gidIndex());
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
