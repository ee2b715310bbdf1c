package org.jvrpc.tools;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.tools.host.Area;
import org.jvrpc.tools.host.CpuCheck;
import org.jvrpc.tools.host.DeviceCheck;
import org.jvrpc.tools.host.Finding;
import org.jvrpc.tools.host.Host;
import org.jvrpc.tools.host.JdkCheck;
import org.jvrpc.tools.host.KernelCheck;
import org.jvrpc.tools.host.LibraryCheck;
import org.jvrpc.tools.host.MemlockCheck;
import org.jvrpc.tools.host.RoceCheck;
import org.jvrpc.tools.host.RocePeersCheck;
import org.jvrpc.tools.host.ShmCheck;
import org.jvrpc.tools.host.VerbsCheck;
import org.jvrpc.tools.selftest.Loopback;
import org.jvrpc.verbs.Devices;

/** What all checks found. */
record Doctor(List<Finding> findings) {

    /** Runs all checks on this host. */
    static Doctor examine() {
        List<Finding> found = new ArrayList<>(JdkCheck.check());
        found.addAll(ofFiles(Host.real()));
        found.addAll(RocePeersCheck.check());
        found.addAll(VerbsCheck.check(Devices::list, Loopback::trial));
        return new Doctor(found);
    }

    /** Runs the checks that look at files only. */
    static List<Finding> ofFiles(Host host) {
        List<Finding> found = new ArrayList<>(ShmCheck.check(host));
        found.addAll(CpuCheck.check(host));
        found.addAll(LibraryCheck.check(host));
        found.addAll(KernelCheck.check(host));
        found.addAll(MemlockCheck.check(host));
        found.addAll(DeviceCheck.check(host));
        found.addAll(RoceCheck.check(host));
        return found;
    }

    /**
     * Returns true when an area works: its addresses can be used. A port of several that is down, or a file that
     * cannot be opened, does not count while a message gets through.
     */
    boolean works(Area area) {
        return findings.stream().anyMatch(finding ->
                finding.area() == area && finding.check().startsWith(area.scheme()) && !finding.failed());
    }
}
