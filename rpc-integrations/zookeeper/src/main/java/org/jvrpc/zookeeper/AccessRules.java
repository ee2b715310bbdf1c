package org.jvrpc.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;

/**
 * Who may do what with the znodes that a server makes. With a password, a service is its creator's: nobody else adds
 * servers to it, changes or reads them; all may read them where that was asked for. Without one, a server's znode can
 * be read and not be changed, but whoever reaches the ensemble may remove it, or add others.
 */
final class AccessRules implements ACLProvider {

    private static final ACL CREATOR = new ACL(Perms.ALL, Ids.AUTH_IDS);
    private static final ACL OTHERS = new ACL(Perms.READ | Perms.CREATE, Ids.ANYONE_ID_UNSAFE);

    private final ZooKeeperTarget target;

    AccessRules(ZooKeeperTarget target) {
        this.target = target;
    }

    @Override
    public List<ACL> getDefaultAcl() {
        return Ids.READ_ACL_UNSAFE;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
        boolean server = path.length() > target.servicePath().length();
        if (target.authFile() == null) {
            return server ? Ids.READ_ACL_UNSAFE : Ids.OPEN_ACL_UNSAFE;
        }
        if (path.length() < target.servicePath().length()) {
            return list(CREATOR, OTHERS); // with services of others
        }
        return target.readable() ? list(CREATOR, new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE)) : Ids.CREATOR_ALL_ACL;
    }

    /** ZooKeeper asks lists whether they contain null, which immutable ones do not bear. */
    private static List<ACL> list(ACL... rules) {
        return new ArrayList<>(List.of(rules));
    }
}
