package org.jvrpc.benchmarks.router;

import java.util.List;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.file.FileView;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;

/** What a file says, where no address is claimed: another router that reads the file would not hear of it. */
final class UnclaimedView implements ControlView {

    private final FileView file;

    UnclaimedView(FileView file) {
        this.file = file;
    }

    @Override
    public long epoch() {
        return file.epoch();
    }

    @Override
    public long confirmedNs() {
        return file.confirmedNs();
    }

    @Override
    public TenantRecord tenant(TenantId id) {
        return file.tenant(id);
    }

    @Override
    public Home home(VirtualAddress address) {
        return file.home(address);
    }

    @Override
    public RouterRecord router(String host) {
        return file.router(host);
    }

    @Override
    public List<Rule> rules() {
        return file.rules();
    }

    @Override
    public String trouble() {
        return file.trouble();
    }

    @Override
    public void listen(Changes changes) {
        file.listen(changes);
    }

    @Override
    public void close() {
        file.close();
    }
}
