package org.jvrpc.tools.router;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What has to be so before a router begins: what is not is said with its value and its cure. */
final class StartChecks {

    /** Sockets, locks and folders of a few devices, and their slabs. */
    static final long LEAST_DESCRIPTORS = 4096;
    private static final int OTHERS_WRITE = 022;
    private static final Map<String, String> FLAGS = Map.of("CreateCoredumpOnCrash", "false",
            "DisableAttachMechanism", "true", "HeapDumpOnOutOfMemoryError", "false");

    private final List<String> complaints = new ArrayList<>();

    /** Returns all complaints about this process. @param folder of the router */
    static List<String> ofThisProcess(Path folder, boolean allowRoot) throws IOException {
        int user = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        StartChecks checks = new StartChecks();
        checks.user(user, allowRoot);
        checks.limits(Files.readAllLines(Path.of("/proc/self/limits")));
        checks.dumps(Files.readString(Path.of("/proc/sys/kernel/core_pattern")), Path.of("/proc/self/coredump_filter"));
        checks.flags(StartChecks::flag);
        checks.folder(folder, user);
        return checks.complaints();
    }

    List<String> complaints() {
        return List.copyOf(complaints);
    }

    private void complain(String what, String cure) {
        complaints.add(what + "; cure: " + cure);
    }

    void user(int user, boolean allowRoot) {
        if (user == 0 && !allowRoot) {
            complain("user=0: whoever breaks into a router of root's has the host",
                    "run it as a user of its own, who owns nothing else (User=jvrpc-router in its unit)");
        }
    }

    /** @param lines of {@code /proc/self/limits} */
    void limits(List<String> lines) {
        long[] core = limit(lines, "Max core file size");
        if (core[0] != 0 || core[1] != 0) {
            complain("core dumps: limit=" + words(core) + ", must be 0: a dump has the bytes of all tenants",
                    "ulimit -c 0 in the shell that starts it, or LimitCORE=0 in its unit");
        }
        long[] files = limit(lines, "Max open files");
        if (files[0] < LEAST_DESCRIPTORS) {
            complain("descriptors: limit=" + words(files) + ", must be " + LEAST_DESCRIPTORS
                    + " at least: each slab of a tenant takes one, and each device four",
                    "ulimit -n 65536, or LimitNOFILE=65536 in its unit");
        }
    }

    private static String words(long[] limit) {
        return number(limit[0]) + " (hard " + number(limit[1]) + ")";
    }

    private static String number(long limit) {
        return limit == Long.MAX_VALUE ? "unlimited" : Long.toString(limit);
    }

    /** Returns a soft and a hard limit; unlimited is the highest number. */
    private static long[] limit(List<String> lines, String name) {
        for (String line : lines) {
            if (line.startsWith(name)) {
                String[] words = line.substring(name.length()).strip().split("\\s+");
                return new long[] {limit(words[0]), limit(words[1])};
            }
        }
        throw new IllegalArgumentException("/proc/self/limits has no line of '" + name + "'");
    }

    private static long limit(String word) {
        return word.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(word);
    }

    /** A program that takes dumps gets them whatever their limit is: a process can leave its memory out, though. */
    void dumps(String pattern, Path filter) {
        if (!pattern.startsWith("|")) {
            return;
        }
        try {
            Files.writeString(filter, "0");
            String now = Files.readString(filter).strip();
            if (Long.parseLong(now, 16) == 0) {
                return;
            }
            complain("core dumps go to '" + pattern.strip() + "', with memory of kinds=" + now, cureOfDumps());
        } catch (IOException e) {
            complain("core dumps go to '" + pattern.strip() + "' with all memory: " + e, cureOfDumps());
        }
    }

    private static String cureOfDumps() {
        return "set /proc/sys/kernel/core_pattern to core, or let this process write to /proc/self/coredump_filter";
    }

    /** @param value of a flag of the JVM; null where it has none */
    void flags(Function<String, String> value) {
        FLAGS.forEach((flag, wanted) -> {
            String has = value.apply(flag);
            if (has != null && !has.equals(wanted)) {
                complain("JVM: " + flag + "=" + has, "start it by the script jvrpc, or give java -XX:"
                        + (wanted.equals("true") ? "+" : "-") + flag);
            }
        });
    }

    private static String flag(String name) {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(name).getValue();
        } catch (IllegalArgumentException e) {
            return null; // another JVM, which has no such thing
        }
    }

    void folder(Path folder, int user) {
        String cure = "install -d -m 0755 -o USER " + folder + " and install -d -m 0711 -o USER " + folder + "/tenants";
        try {
            Map<String, Object> found =
                    Files.readAttributes(folder, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
            int mode = (Integer) found.get("mode") & 07777;
            if (!Boolean.TRUE.equals(found.get("isDirectory"))) {
                complain("folder=" + folder + " is none, or a link", cure);
            } else if (!found.get("uid").equals(user) || (mode & OTHERS_WRITE) != 0) {
                complain(String.format("folder=%s owner uid=%s mode=%04o, must be uid=%d's, and nobody else may write"
                        + " to it", folder, found.get("uid"), mode, user), cure);
            }
        } catch (IOException e) {
            complain("folder=" + folder + " is not there: " + e, cure);
        }
    }
}
