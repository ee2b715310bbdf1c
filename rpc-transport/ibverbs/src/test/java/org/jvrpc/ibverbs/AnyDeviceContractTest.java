package org.jvrpc.ibverbs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.condition.EnabledIf;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.QueuePairContract;
import org.jvrpc.verbs.contract.RealDeviceUnderTest;

/**
 * The contract on the RDMA device of a machine that has one, whatever it is, by the best driver there is. Where the two
 * devices of the virtual machine are, the suites of each driver prove more, and this one is left out.
 */
@NeedsRdmaDevice(rxe = 0)
@EnabledIf(value = "isOneThatNoOtherSuiteUses",
        disabledReason = "no device with an IPv4 address, or rxe0 and rxe1, on which other suites run")
final class AnyDeviceContractTest extends QueuePairContract implements RealDeviceUnderTest {

    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final AtomicInteger PORT = new AtomicInteger(21_000);

    static boolean isOneThatNoOtherSuiteUses() {
        boolean pair = Files.exists(DEVICES.resolve("rxe0/parent")) && Files.exists(DEVICES.resolve("rxe1/parent"));
        return !pair && !candidates().isEmpty();
    }

    /** Returns what stands between {@code rdma://} and the port of each device with an IPv4 address, and its name. */
    private static List<String[]> candidates() {
        List<String[]> found = new ArrayList<>();
        String[] names = DEVICES.toFile().list();
        for (String name : names == null ? new String[0] : names) {
            String[] gids = DEVICES.resolve(name + "/ports/1/gids").toFile().list();
            for (String index : gids == null ? new String[0] : gids) {
                String gid = read(DEVICES.resolve(name + "/ports/1/gids/" + index).toFile());
                if (gid.startsWith("0000:0000:0000:0000:0000:ffff:")) {
                    long ip = Long.parseLong(gid.substring(30).replace(":", ""), 16);
                    found.add(new String[] {
                        (ip >> 24) + "." + (ip >> 16 & 255) + "." + (ip >> 8 & 255) + "." + (ip & 255), name});
                    break;
                }
            }
        }
        found.sort((a, b) -> a[1].compareTo(b[1]));
        return found;
    }

    private static String read(File file) {
        try {
            return Files.readString(file.toPath()).strip();
        } catch (IOException e) {
            return ""; // an entry of the table that is not set
        }
    }

    private static String at(int port) {
        String[] first = candidates().get(0);
        return "rdma://" + first[0] + ":" + port + "?device=" + first[1];
    }

    @Override
    public boolean oneDevice() {
        return true;
    }

    @Override
    public Device openDevice() {
        return Devices.open(at(0));
    }

    @Override
    public String address() {
        return at(PORT.getAndIncrement());
    }

    @Override
    public String kernelName() {
        return candidates().get(0)[1];
    }

    @Override
    public boolean disarms() {
        return false;
    }

    /** Some round up to more than was asked for. */
    @Override
    public int roomOf(int depth) {
        return 2 * depth;
    }
}
