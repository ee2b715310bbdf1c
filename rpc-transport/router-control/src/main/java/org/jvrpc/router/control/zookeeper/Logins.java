package org.jvrpc.router.control.zookeeper;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.server.auth.DigestLoginModule;

/**
 * Names of logins by which ZooKeeper finds users and passwords: JAAS knows one configuration a process, so this one
 * stands in front of what was there before, and answers for its own names alone. Any thread.
 */
public final class Logins extends Configuration {

    private static final Logins ALL = new Logins();

    private final Map<String, AppConfigurationEntry[]> entries = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();
    private volatile Configuration before;

    private Logins() {
    }

    /** Adds a user and its password. @return the name of the login, for {@link #remove} */
    static String client(String user, String password) {
        return ALL.add("client", Map.of("username", user, "password", password));
    }

    /** Adds the users of a server and their passwords. @return the name of the login */
    public static String server(Map<String, String> passwords) {
        Map<String, String> options = new HashMap<>();
        passwords.forEach((user, password) -> options.put("user_" + user, password));
        return ALL.add("server", options);
    }

    /** Forgets a login. */
    public static void remove(String name) {
        ALL.entries.remove(name);
    }

    private synchronized String add(String kind, Map<String, String> options) {
        Configuration now = current();
        if (now != this) {
            before = now;
            setConfiguration(this);
        }
        String name = "jvrpc-" + kind + "-" + count.incrementAndGet();
        entries.put(name, new AppConfigurationEntry[] {new AppConfigurationEntry(DigestLoginModule.class.getName(),
                LoginModuleControlFlag.REQUIRED, options)});
        return name;
    }

    /** Returns what is there, or null: a process without a file of logins has none. */
    private static Configuration current() {
        try {
            return getConfiguration();
        } catch (SecurityException e) {
            return null;
        }
    }

    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
        AppConfigurationEntry[] own = entries.get(name);
        Configuration others = before;
        return own != null || others == null ? own : others.getAppConfigurationEntry(name);
    }
}
