package org.jvrpc.router.control.move;

import java.util.List;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.zookeeper.ZooKeeperView;
import org.jvrpc.router.map.Claims;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;

/** A view that was confirmed earlier than it was, so that a test need not wait for the usual bound. Any thread. */
record OlderView(ZooKeeperView view, long olderNs) implements ControlView, Claims {

    @Override
    public long epoch() {
        return view.epoch();
    }

    @Override
    public long confirmedNs() {
        return view.confirmedNs() - olderNs;
    }

    @Override
    public TenantRecord tenant(TenantId id) {
        return view.tenant(id);
    }

    @Override
    public Home home(VirtualAddress address) {
        return view.home(address);
    }

    @Override
    public RouterRecord router(String host) {
        return view.router(host);
    }

    @Override
    public List<Rule> rules() {
        return view.rules();
    }

    @Override
    public String trouble() {
        return view.trouble();
    }

    @Override
    public void listen(Changes changes) {
        view.listen(changes);
    }

    @Override
    public Home claim(VirtualAddress address, TenantId tenant, long knownEpoch) throws InterruptedException {
        return view.claim(address, tenant, knownEpoch);
    }

    @Override
    public void release(Home home) throws InterruptedException {
        view.release(home);
    }

    @Override
    public void close() {
        view.close();
    }
}
