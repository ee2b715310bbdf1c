package org.jvrpc.tools.host;

import java.util.ArrayList;
import java.util.List;

/** The kernel's side of real RDMA: modules, and the device files that libibverbs and librdmacm open. */
public final class KernelCheck {

    private static final String UVERBS = "/dev/infiniband/uverbs";
    private static final String CM = "/dev/infiniband/rdma_cm";
    private static final String RULE = "a udev rule, for instance in /etc/udev/rules.d/90-rdma.rules:"
            + " SUBSYSTEM==\"infiniband_verbs\", MODE=\"0666\" and KERNEL==\"rdma_cm\", MODE=\"0666\"";

    private KernelCheck() {
    }

    /** Looks. */
    public static List<Finding> check(Host host) {
        List<Finding> found = new ArrayList<>();
        if (!host.exists("/sys/class/infiniband_verbs")) {
            found.add(Finding.fail(Area.RDMA, "kernel", "ib_uverbs is not loaded, kernel " + host.kernel(),
                    isThere(host, "ib_uverbs") ? "modprobe ib_uverbs" : howToGetModules(host)));
            return found;
        }
        found.add(Finding.ok(Area.RDMA, "kernel", host.kernel() + ", ib_uverbs ABI "
                + host.read("/sys/class/infiniband_verbs/abi_version")));
        for (String name : host.names("/sys/class/infiniband_verbs")) {
            if (name.startsWith("uverbs")) {
                String device = host.read("/sys/class/infiniband_verbs/" + name + "/ibdev");
                found.add(file(host, "/dev/infiniband/" + name, "device " + device,
                        "docker: --device=" + UVERBS + name.substring("uverbs".length())));
            }
        }
        found.add(host.exists("/sys/module/rdma_ucm") || host.exists(CM)
                ? file(host, CM, "connection management", "docker: --device=" + CM)
                : Finding.fail(Area.RDMA, CM, "is missing: rdma_ucm is not loaded", "modprobe rdma_ucm"));
        return found;
    }

    private static Finding file(Host host, String file, String what, String container) {
        if (!host.exists(file)) {
            return Finding.fail(Area.RDMA, file, "is missing, though the kernel has it (" + what + ")",
                    "in a container it must be passed in, " + container + "; else: udevadm trigger");
        }
        String failure = host.openFailure(file);
        if (failure == null) {
            return Finding.ok(Area.RDMA, file, what + ", " + host.rights(file));
        }
        String group = host.writingGroup(file);
        return Finding.fail(Area.RDMA, file,
                "cannot be opened by " + host.user() + " (" + failure + "): " + host.rights(file),
                (group == null ? RULE : "usermod -aG " + group + " " + host.user() + " and a new log-in")
                        + "; in a container: " + container);
    }

    /** Returns true when a module is loaded, or can be loaded as far as files tell. */
    static boolean isThere(Host host, String module) {
        String index = host.read("/lib/modules/" + host.kernel() + "/modules.dep");
        String builtIn = host.read("/lib/modules/" + host.kernel() + "/modules.builtin");
        String file = "/" + module + ".ko";
        return host.exists("/sys/module/" + module) || index != null && index.contains(file)
                || builtIn != null && builtIn.contains(file);
    }

    /** Returns what to do about a kernel without modules for RDMA. */
    static String howToGetModules(Host host) {
        String kernel = host.kernel();
        if (kernel.contains("cloud")) {
            return "this cloud kernel has no RDMA: boot Debian's linux-image-amd64 instead, or use .ci/rdma-vm";
        }
        return "this kernel has no RDMA modules: Ubuntu: apt-get install linux-modules-extra-" + kernel
                + "; Red Hat: dnf install kernel-modules-extra; in a container the host must load them;"
                + " without a kernel of one's own: .ci/rdma-vm";
    }
}
