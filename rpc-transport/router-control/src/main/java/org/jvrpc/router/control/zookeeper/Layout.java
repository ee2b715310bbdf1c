package org.jvrpc.router.control.zookeeper;

import java.util.List;

/**
 * Paths of a cluster's znodes.
 *
 * <pre>
 * /jvrpc-router/CLUSTER/epoch              its version + 1 is the epoch of tenants and rules: each change writes it
 *                      /tenants/NAME       a tenant, by an administrator
 *                      /rules              rules, by an administrator
 *                      /homes/ADDRESS      where an address lives: its version is the address's epoch. Never removed
 *                      /hosts/HOST         made by an administrator, so that only this host can make
 *                      /hosts/HOST/live    its router, ephemeral
 *                      /audit/n0000000001  what was changed by whom
 * </pre>
 */
final class Layout {

    static final String TOP = "/jvrpc-router";

    private final String root;

    Layout(String cluster) {
        this.root = TOP + "/" + cluster;
    }

    String root() {
        return root;
    }

    String epoch() {
        return root + "/epoch";
    }

    String rules() {
        return root + "/rules";
    }

    String tenants() {
        return root + "/tenants";
    }

    String tenant(String name) {
        return tenants() + "/" + name;
    }

    String homes() {
        return root + "/homes";
    }

    String home(String address) {
        return homes() + "/" + address;
    }

    String hosts() {
        return root + "/hosts";
    }

    String host(String name) {
        return hosts() + "/" + name;
    }

    String live(String host) {
        return host(host) + "/live";
    }

    String audit() {
        return root + "/audit";
    }

    /** Returns the znodes below which others lie, the root first. */
    List<String> folders() {
        return List.of(root, tenants(), homes(), hosts(), audit());
    }

    /** Tells whether a view reads a znode. */
    boolean isRead(String path) {
        return path.equals(epoch()) || path.equals(rules()) || isIn(tenants(), path) || isIn(homes(), path)
                || isHost(path) || isLive(path);
    }

    boolean isTenant(String path) {
        return isIn(tenants(), path);
    }

    boolean isHome(String path) {
        return isIn(homes(), path);
    }

    boolean isHost(String path) {
        return isIn(hosts(), path);
    }

    boolean isLive(String path) {
        return path.endsWith("/live") && isHost(path.substring(0, path.length() - "/live".length()));
    }

    private static boolean isIn(String folder, String path) {
        return path.startsWith(folder + "/") && path.indexOf('/', folder.length() + 1) < 0;
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
