package org.jvrpc.router.control.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.BadTextException;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.zookeeper.Replies.Znode;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;

/**
 * What a cluster's znodes say. What only administrators write has to be right as a whole. What a router writes may be
 * wrong without anybody else being held up by it: an address whose znode is wrong lives nowhere, a host's router is not
 * there. Immutable.
 *
 * @param versions of the znodes of addresses, of those too that no tenant has
 * @param texts what the state's parts say, by the paths of their znodes, to find what has changed
 * @param hosts that may have a router
 * @param complaints of what is left out
 */
record Picture(ControlState state, Map<VirtualAddress, Long> versions, Map<String, String> texts, List<String> hosts,
        List<String> complaints) {

    static final Picture NOTHING = new Picture(ControlState.NOTHING, Map.of(), Map.of(), List.of(), List.of());

    /** @throws BadTextException when tenants or rules cannot be gone by, or there are none */
    static Picture of(Layout layout, Map<String, Znode> znodes) throws BadTextException {
        return new Builder(layout, znodes).build();
    }

    /**
     * Compares with what was known.
     *
     * @return what is older than that, or null
     */
    String older(Picture known) {
        if (state.epoch() < known.state.epoch()) {
            return "epoch=" + state.epoch() + " is older than that of what is known, epoch=" + known.state.epoch();
        }
        for (Map.Entry<VirtualAddress, Long> before : known.versions.entrySet()) {
            Long now = versions.get(before.getKey());
            if (now == null || now < before.getValue()) {
                return "address=" + before.getKey() + " has epoch=" + (now == null ? "none" : now)
                        + ", older than that of what is known, epoch=" + before.getValue();
            }
        }
        return null;
    }

    private static final class Builder {

        private final Layout layout;
        private final Map<String, Znode> znodes;
        private final Map<TenantId, TenantRecord> tenants = new LinkedHashMap<>();
        private final Map<VirtualAddress, TenantId> owners = new HashMap<>();
        private final Map<VirtualAddress, Home> homes = new LinkedHashMap<>();
        private final Map<String, RouterRecord> routers = new LinkedHashMap<>();
        private final Map<VirtualAddress, Long> versions = new HashMap<>();
        private final Map<String, String> texts = new HashMap<>();
        private final List<String> hosts = new ArrayList<>();
        private final List<String> complaints = new ArrayList<>();

        Builder(Layout layout, Map<String, Znode> znodes) {
            this.layout = layout;
            this.znodes = znodes;
        }

        Picture build() throws BadTextException {
            Znode epoch = znodes.get(layout.epoch());
            Znode rules = znodes.get(layout.rules());
            if (epoch == null || rules == null) {
                throw new BadTextException((epoch == null ? layout.epoch() : layout.rules())
                        + " is missing: jvrpc router ctl init makes a cluster");
            }
            Map<String, Znode> sorted = new TreeMap<>(znodes);
            for (Znode znode : sorted.values()) {
                if (layout.isTenant(znode.path())) {
                    tenant(znode);
                }
            }
            for (Znode znode : sorted.values()) {
                if (layout.isHome(znode.path())) {
                    home(znode);
                } else if (layout.isLive(znode.path())) {
                    router(znode);
                } else if (layout.isHost(znode.path())) {
                    hosts.add(Layout.name(znode.path()));
                }
            }
            List<Rule> read = Codec.rules(rules.path(), rules.data());
            texts.put(rules.path(), Codec.json(read));
            return new Picture(new ControlState(epoch.version() + 1L, tenants, homes, routers, read),
                    Map.copyOf(versions), Map.copyOf(texts), List.copyOf(hosts), List.copyOf(complaints));
        }

        private void tenant(Znode znode) throws BadTextException {
            TenantRecord tenant = Codec.tenant(znode.path(), znode.data());
            if (!tenant.id().name().equals(Layout.name(znode.path()))) {
                throw new BadTextException(znode.path() + ": name is " + tenant.id());
            }
            tenants.put(tenant.id(), tenant);
            texts.put(znode.path(), Codec.json(tenant));
            for (VirtualAddress address : tenant.addresses()) {
                TenantId other = owners.put(address, tenant.id());
                if (other != null) {
                    throw new BadTextException(znode.path() + " has the address=" + address + ", which is tenant="
                            + other + "'s");
                }
            }
        }

        private void home(Znode znode) {
            VirtualAddress address;
            try {
                address = new VirtualAddress(Layout.name(znode.path()));
            } catch (IllegalArgumentException e) {
                complaints.add(znode.path() + ": " + e.getMessage());
                return;
            }
            versions.put(address, (long) znode.version());
            TenantId owner = owners.get(address);
            if (owner != null) {
                Home home = home(znode, address, owner);
                homes.put(address, home);
                texts.put(znode.path(), Codec.json(home));
            }
        }

        private Home home(Znode znode, VirtualAddress address, TenantId owner) {
            Home nowhere = new Home(address, owner, "", znode.version(), Home.State.GONE);
            if (znode.data().length == 0) {
                return nowhere;
            }
            try {
                Home said = Codec.home(znode.path(), znode.data(), znode.version());
                if (!said.address().equals(address) || !said.tenant().equals(owner)) {
                    throw new BadTextException(znode.path() + " is of address=" + said.address() + " tenant="
                            + said.tenant() + ", and not of tenant=" + owner);
                }
                return said;
            } catch (BadTextException e) {
                complaints.add(e.getMessage());
                return nowhere;
            }
        }

        private void router(Znode znode) {
            String host = Layout.name(znode.path().substring(0, znode.path().lastIndexOf('/')));
            try {
                RouterRecord router = Codec.router(znode.path(), znode.data());
                if (!router.host().equals(host)) {
                    throw new BadTextException(znode.path() + " is of host=" + router.host());
                }
                routers.put(host, router);
                texts.put(znode.path(), new String(znode.data(), StandardCharsets.UTF_8));
            } catch (BadTextException e) {
                complaints.add(e.getMessage());
            }
        }
    }
}
