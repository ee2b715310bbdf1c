package org.jvrpc.hdfs;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Who has logged in at one address of a NameNode, by number. A login belongs to the session that made it: no other may
 * use its number, and it is gone with the session. There are never more than a given number of logins: beyond it the
 * clock hand passes over those used since its last round and takes the first that was not, of the same session where
 * that one has more than its share. Their clients log in again. Any thread.
 */
final class Logins {

    /** A session may have this part of all logins before it is its own that are forgotten. */
    private static final int SHARE = 8;

    /** A user at a client. Immutable, but for {@link #used}. */
    static final class Login {

        private final long number;
        private final Session session;
        private final Key key;
        private final UserGroupInformation user;
        private final InetAddress host;
        private final byte[] clientId;
        private final long validUntilNs;
        private final long rules;
        /** Set by each call, cleared by the clock hand; a lost update costs a login. */
        private boolean used;

        private Login(
                long number, Session session, Key key, UserGroupInformation user, InetAddress host, byte[] clientId,
                long validUntilNs, long rules) {
            this.number = number;
            this.session = session;
            this.key = key;
            this.user = user;
            this.host = host;
            this.clientId = clientId;
            this.validUntilNs = validUntilNs;
            this.rules = rules;
        }

        UserGroupInformation user() {
            return user;
        }

        InetAddress host() {
            return host;
        }

        byte[] clientId() {
            return clientId;
        }
    }

    private record Key(String user, String realUser, InetAddress host, ByteBuffer clientId) {
    }

    /** What one session has logged in, in the order of the clock. Guarded by the table. */
    static final class Session {

        private final long id;
        private final Map<Key, Login> logins = new LinkedHashMap<>();
        private boolean ended;

        private Session(long id) {
            this.id = id;
        }
    }

    private final int capacity;
    private final long validNs;
    private final Map<Long, Session> sessions = new HashMap<>();
    /** All logins, in the order of the clock. */
    private final LinkedHashMap<Long, Login> clock = new LinkedHashMap<>();
    /** The same, for readers. */
    private final ConcurrentHashMap<Long, Login> byNumber = new ConcurrentHashMap<>();
    private long last;
    private volatile long rules;

    /** @param validNs after which a login is to be renewed */
    Logins(int capacity, long validNs) {
        this.capacity = capacity;
        this.validNs = validNs;
    }

    /** Returns what a session has; a session that ended does not come back. */
    synchronized Session session(long id) {
        return sessions.computeIfAbsent(id, Session::new);
    }

    /** Returns the number of the rules that are in force: taken before they are asked, and given to {@link #add}. */
    long rules() {
        return rules;
    }

    /** Has all logins renewed before they are used again, for the rules have changed. */
    synchronized void rulesChanged() {
        rules++;
    }

    /**
     * Adds a login, or renews the equal one under its number.
     *
     * @param underRules by which it was permitted
     * @return its number; of a session that has ended one that is not valid
     */
    synchronized long add(
            Session session,
            UserGroupInformation user,
            InetAddress host,
            byte[] clientId,
            long underRules,
            long nowNs) {
        UserGroupInformation real = user.getRealUser();
        Key key = new Key(
                user.getUserName(), real == null ? null : real.getUserName(), host, ByteBuffer.wrap(clientId));
        Login known = session.logins.get(key);
        long number = known == null ? ++last : known.number;
        if (session.ended) {
            return number;
        }
        Login login = new Login(number, session, key, user, host, clientId, nowNs + validNs, underRules);
        session.logins.put(key, login);
        clock.put(number, login);
        byNumber.put(number, login);
        if (session.logins.size() > Math.max(1, capacity / SHARE)) {
            forget(leastUsed(session.logins, login));
        }
        if (clock.size() > capacity) {
            forget(leastUsed(clock, login));
        }
        return number;
    }

    /** Turns the hand of a clock to the first login that was not used since it last came by. */
    private static <K> Login leastUsed(Map<K, Login> logins, Login newest) {
        for (int turns = 0;; turns++) {
            Iterator<Map.Entry<K, Login>> hand = logins.entrySet().iterator();
            Map.Entry<K, Login> first = hand.next();
            Login login = first.getValue();
            boolean spared = login.used && turns <= logins.size(); // once: others may be using theirs all the time
            if (!spared && login != newest) {
                return login;
            }
            login.used = false;
            hand.remove();
            logins.put(first.getKey(), login);
        }
    }

    private void forget(Login login) {
        clock.remove(login.number);
        byNumber.remove(login.number);
        login.session.logins.remove(login.key);
    }

    /** Forgets what a session has. */
    synchronized void end(long sessionId) {
        Session session = sessions.remove(sessionId);
        if (session != null) {
            session.ended = true;
            List<Login> all = new ArrayList<>(session.logins.values());
            all.forEach(this::forget);
        }
    }

    /** Returns a login of a session. @throws StaleLoginException when the session has no valid one of that number */
    Login find(long number, long sessionId, long nowNs) throws StaleLoginException {
        Login login = byNumber.get(number);
        if (login == null || login.session.id != sessionId || login.rules != rules
                || nowNs - login.validUntilNs > 0) {
            throw new StaleLoginException();
        }
        if (!login.used) {
            login.used = true;
        }
        return login;
    }

    synchronized int size() {
        return clock.size();
    }

    synchronized int sessionCount() {
        return sessions.size();
    }
}
