package org.jvrpc.tools.host;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The C libraries of real RDMA, found where the loader looks. The real name of a file tells its version. */
public final class LibraryCheck {

    private static final List<String> FOLDERS = List.of(
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib/x86_64-linux-gnu",
            "/lib/aarch64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib", "/lib", "/usr/local/lib");
    private static final Pattern PROVIDER = Pattern.compile("lib(\\w+)-rdmav\\d+\\.so");

    private LibraryCheck() {
    }

    /** Looks. */
    public static List<Finding> check(Host host) {
        List<Finding> found = new ArrayList<>();
        found.add(library(host, "libibverbs", "libibverbs.so.1",
                "Debian: apt-get install libibverbs1 ibverbs-providers; Red Hat: dnf install libibverbs"));
        found.add(library(host, "librdmacm", "librdmacm.so.1",
                "Debian: apt-get install librdmacm1; Red Hat: dnf install librdmacm"));
        if (!found.get(0).failed()) {
            found.add(providers(host));
        }
        return found;
    }

    private static Finding library(Host host, String check, String name, String cure) {
        for (String folder : FOLDERS) {
            String real = host.realName(folder + "/" + name);
            if (real != null) {
                return Finding.ok(Area.RDMA, check, folder + "/" + real);
            }
        }
        String loaded = loaded(host, name);
        return loaded != null ? Finding.ok(Area.RDMA, check, loaded)
                : Finding.fail(Area.RDMA, check, name + " is not installed", cure);
    }

    /** Returns where this process has a library from, for those that LD_LIBRARY_PATH names. */
    private static String loaded(Host host, String name) {
        String maps = host.read("/proc/self/maps");
        Matcher matcher = Pattern.compile("(/\\S*/" + Pattern.quote(name) + "\\S*)").matcher(maps == null ? "" : maps);
        return matcher.find() ? matcher.group(1) : null;
    }

    private static Finding providers(Host host) {
        List<String> names = new ArrayList<>();
        for (String folder : FOLDERS) {
            for (String file : host.names(folder + "/libibverbs")) {
                Matcher matcher = PROVIDER.matcher(file);
                if (matcher.matches() && !names.contains(matcher.group(1))) {
                    names.add(matcher.group(1));
                }
            }
        }
        return names.isEmpty()
                ? Finding.warn(Area.RDMA, "providers", "none in libibverbs/: libibverbs knows only what is built in",
                        "Debian: apt-get install ibverbs-providers; Red Hat: libibverbs has them")
                : Finding.ok(Area.RDMA, "providers", String.join(" ", names));
    }
}
