package org.jvrpc.router.control.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * Who may do what: an administrator all, a host its own presence and the addresses that it may have, whoever has a
 * session read all but the audit log. Without a user all is open. Any thread.
 *
 * @param admin the administrator; null: there are no users
 */
record Access(String admin) {

    private static final String SCHEME = "sasl";
    /** Lets nobody do what he may not: it marks addresses that each host may have. */
    private static final ACL ALL_HOSTS = new ACL(Perms.READ, new Id(SCHEME, "-all-hosts"));

    private List<ACL> start() {
        List<ACL> rules = new ArrayList<>(); // ZooKeeper asks lists whether they contain null
        rules.add(new ACL(Perms.ALL, admin == null ? Ids.ANYONE_ID_UNSAFE : new Id(SCHEME, admin)));
        return rules;
    }

    private List<ACL> readable() {
        List<ACL> rules = start();
        if (admin != null) {
            rules.add(new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE));
        }
        return rules;
    }

    /** Tenants, rules, and all folders. */
    List<ACL> common() {
        return readable();
    }

    List<ACL> audit() {
        return start();
    }

    /** The znode of a host, below which it makes another one. */
    List<ACL> host(String host) {
        List<ACL> rules = readable();
        if (admin != null) {
            rules.add(new ACL(Perms.CREATE | Perms.DELETE, new Id(SCHEME, host)));
        }
        return rules;
    }

    /** An address. @param hosts that may have it. @param all those that come later, too */
    List<ACL> home(List<String> hosts, boolean all) {
        List<ACL> rules = readable();
        if (admin != null) {
            if (all) {
                rules.add(ALL_HOSTS);
            }
            hosts.forEach(host -> rules.add(new ACL(Perms.READ | Perms.WRITE, new Id(SCHEME, host))));
        }
        return rules;
    }

    static boolean isForAll(List<ACL> rules) {
        return rules.contains(ALL_HOSTS);
    }

    /** Returns the hosts that rules of an address let have it. */
    List<String> hosts(List<ACL> rules) {
        return rules.stream().filter(rule -> (rule.getPerms() & Perms.WRITE) != 0
                && rule.getId().getScheme().equals(SCHEME) && !rule.getId().getId().equals(admin))
                .map(rule -> rule.getId().getId()).toList();
    }
}
