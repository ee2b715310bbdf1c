package org.jvrpc.zookeeper;

import org.jvrpc.runtime.resolve.Registration;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.resolve.ServiceRegistryProvider;

/** Registers servers at {@code zk://host1:2181,host2:2181/service}, as ephemeral znodes. Any thread. */
public final class ZooKeeperRegistryProvider implements ServiceRegistryProvider {

    @Override
    public String scheme() {
        return ZooKeeperTarget.SCHEME;
    }

    @Override
    public Registration register(String target, ServerEntry self, ResolverContext context) {
        Membership membership = new Membership(ZooKeeperTarget.parse(target), self, context);
        membership.join();
        return membership;
    }
}
