package org.jvrpc.zookeeper;

import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.NameResolverProvider;
import org.jvrpc.runtime.resolve.ResolverContext;

/** Finds the servers of {@code zk://host1:2181,host2:2181/service}. Any thread. */
public final class ZooKeeperResolverProvider implements NameResolverProvider {

    @Override
    public String scheme() {
        return ZooKeeperTarget.SCHEME;
    }

    @Override
    public NameResolver open(String target, ResolverContext context) {
        return new ServiceWatch(ZooKeeperTarget.parse(target), context);
    }
}
