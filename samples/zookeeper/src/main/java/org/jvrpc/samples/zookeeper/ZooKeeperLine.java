package org.jvrpc.samples.zookeeper;

import org.apache.zookeeper.Version;

/** The line of ZooKeeper releases whose inner interfaces the plugin is made for. */
public final class ZooKeeperLine {

    private static final String LINE = "3.9.";

    private ZooKeeperLine() {
    }

    /** Checks the ZooKeeper on the class path. @throws IllegalStateException when it is of another line */
    public static void check() {
        check(Version.getVersion());
    }

    static void check(String version) {
        if (!version.startsWith(LINE)) {
            throw new IllegalStateException("the jvRPC plugin is made for ZooKeeper " + LINE
                    + "x, this is " + version + ": between such lines ZooKeeper's inner interfaces change");
        }
    }
}
