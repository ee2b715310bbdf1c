package org.jvrpc.tools.host;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jvrpc.verbs.DeviceInfo;
import org.jvrpc.verbs.VerbsException;

/** The devices as {@link org.jvrpc.verbs.Devices} lists them, each tried with a message to itself. */
public final class VerbsCheck {

    private VerbsCheck() {
    }

    /**
     * Looks, and tries.
     *
     * @param devices lists them
     * @param trial sends a message over the device that an address names, and returns what it was, or throws
     *     VerbsException
     */
    public static List<Finding> check(Supplier<List<DeviceInfo>> devices, Function<String, String> trial) {
        List<Finding> found = new ArrayList<>();
        for (DeviceInfo device : devices.get()) {
            Area area = Area.of(device.scheme());
            String check = device.scheme() + "://"
                    + (area == Area.RDMA && !device.name().equals("none") ? " on " + device.name() : "");
            if (device.isReady()) {
                found.add(tried(area, check, trial, addressOf(device)));
            } else {
                found.add(Finding.fail(area, check, device.state(), "see the lines above"));
            }
        }
        if (found.stream().noneMatch(finding -> finding.area() == Area.RDMA)) {
            found.add(Finding.fail(Area.RDMA, "rdma://", "no device", "see the lines above"));
        }
        return found;
    }

    /** Returns an address that opens a device. */
    static String addressOf(DeviceInfo device) {
        return switch (Area.of(device.scheme())) {
            case RDMA -> "rdma://localhost:0?device=" + device.name();
            case ROCE -> "roce://127.0.0.1:0";
            case SHM -> device.scheme() + "://doctor";
        };
    }

    private static Finding tried(Area area, String check, Function<String, String> trial, String address) {
        try {
            return Finding.ok(area, check, trial.apply(address));
        } catch (VerbsException | IllegalStateException | IllegalArgumentException e) {
            return Finding.fail(area, check, "opens, but a message to itself fails: " + e.getMessage(),
                    "see the lines above; the whole proof: jvrpc doctor --self-test '" + address + "'");
        }
    }
}
