package org.jvrpc.tools.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A tree of files that looks like a host's. */
final class FakeHost {

    static final String KERNEL = "6.1.0-test";
    private final Path root;
    private final Map<String, String> refused = new TreeMap<>();

    FakeHost(Path root) {
        this.root = root;
    }

    Host host() {
        return host(KERNEL);
    }

    Host host(String kernel) {
        return new Host(root, kernel, "ada", file -> refused.get("/" + root.relativize(file)));
    }

    FakeHost file(String path, String text) {
        try {
            Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeHost folder(String path) {
        return file(path + "/.keep", "");
    }

    FakeHost link(String path, String target) {
        try {
            Path link = root.resolve(path.substring(1));
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, Path.of(target));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has a device file that nobody can open, with this reason. */
    FakeHost refuse(String path, String reason) {
        refused.put(path, reason);
        return this;
    }

    FakeHost modules(String... names) {
        StringBuilder index = new StringBuilder();
        for (String name : names) {
            index.append("kernel/drivers/").append(name).append(".ko:\n");
        }
        return file("/lib/modules/" + KERNEL + "/modules.dep", index.toString());
    }

    /** Adds a device of rxe with one port, over v0. */
    FakeHost rxe(String name, String state) {
        device(name, state, "Ethernet");
        return file("/sys/class/infiniband/" + name + "/parent", "v0\n").file("/sys/class/net/v0/mtu", "1500\n");
    }

    /** Adds a card of mlx5 with one port. */
    FakeHost card(String name, String state, String layer) {
        device(name, state, layer);
        return link("/sys/class/infiniband/" + name + "/device/driver", "../../bus/pci/drivers/mlx5_core")
                .file("/sys/class/infiniband/" + name + "/fw_ver", "16.35.4030\n");
    }

    FakeHost device(String name, String state, String layer) {
        String device = "/sys/class/infiniband/" + name;
        return file(device + "/node_type", "1: CA\n")
                .file(device + "/ports/1/state", state + "\n")
                .file(device + "/ports/1/rate", "2.5 Gb/sec (1X SDR)\n")
                .file(device + "/ports/1/link_layer", layer + "\n");
    }

    FakeHost gid(String device, int index, String gid, String type) {
        String port = "/sys/class/infiniband/" + device + "/ports/1";
        return file(port + "/gids/" + index, gid + "\n").file(port + "/gid_attrs/types/" + index, type + "\n")
                .file(port + "/gid_attrs/ndevs/" + index, "v0\n");
    }

    /** Adds what the kernel shows of loaded modules. */
    FakeHost uverbs(String... devices) {
        file("/sys/class/infiniband_verbs/abi_version", "6\n").folder("/sys/module/rdma_ucm");
        for (int i = 0; i < devices.length; i++) {
            file("/sys/class/infiniband_verbs/uverbs" + i + "/ibdev", devices[i] + "\n");
        }
        return this;
    }

    FakeHost memlock(String soft, String hard, String capabilities) {
        return file("/proc/self/limits", """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             95                   95                   processes
                Max locked memory         %s               %s               bytes
                """.formatted(soft, hard))
                .file("/proc/self/status", "Name:\tjava\nCapEff:\t" + capabilities + "\n");
    }
}
