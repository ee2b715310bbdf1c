package org.jvrpc.hdfs;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Who has logged in, by number. A number has the server's life in its upper half, so that one of another life is known
 * to be stale. Equal logins have one number: there are never more than different users and clients. Any thread.
 */
final class Logins {

    /** As many as fit; clients that log in later are told to come back. */
    static final int MAX = 1 << 20;

    /** A user at a client. */
    record Login(UserGroupInformation user, InetAddress host, byte[] clientId) {
    }

    private record Key(String user, String realUser, InetAddress host, ByteBuffer clientId) {
    }

    private final int life = new SecureRandom().nextInt();
    private final Map<Key, Integer> numbers = new HashMap<>();
    private volatile Login[] logins = new Login[8];

    /** Returns the number of a login, or -1 when there are too many. */
    synchronized long add(UserGroupInformation user, InetAddress host, byte[] clientId) {
        UserGroupInformation real = user.getRealUser();
        Key key = new Key(user.getUserName(), real == null ? null : real.getUserName(), host,
                ByteBuffer.wrap(clientId));
        Integer known = numbers.get(key);
        if (known == null) {
            if (numbers.size() == MAX) {
                return -1;
            }
            known = numbers.size();
            Login[] all = known < logins.length ? logins : Arrays.copyOf(logins, 2 * known);
            all[known] = new Login(user, host, clientId);
            logins = all;
            numbers.put(key, known);
        }
        return (long) life << 32 | known;
    }

    /** Returns a login. @throws StaleLogin when there is none of that number */
    Login find(long number) throws StaleLogin {
        Login[] all = logins;
        int index = (int) number;
        if ((int) (number >> 32) != life || index < 0 || index >= all.length || all[index] == null) {
            throw new StaleLogin();
        }
        return all[index];
    }
}
