package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** The table of logins, without a NameNode or a clock. */
class LoginsTest {

    private static final long VALID_NS = 1000;
    private static final int MILLION = 1 << 20;

    private final UserGroupInformation user = UserGroupInformation.createRemoteUser("somebody");
    private final InetAddress host = InetAddress.getLoopbackAddress();

    private static byte[] clientId(long number) {
        return ByteBuffer.allocate(16).putLong(number).array();
    }

    private long add(Logins logins, long session, long client) {
        return logins.add(logins.session(session), user, host, clientId(client), logins.rules(), 0);
    }

    @Test
    void moreThanAMillionShortLivedClientsAreServedOneAfterTheOther() throws Exception {
        Logins logins = new Logins(1 << 16, VALID_NS);
        for (int i = 0; i < MILLION + 10; i++) {
            long number = add(logins, i, i);
            assertSame(user, logins.find(number, i, 0).user());
            logins.end(i);
        }
        assertEquals(0, logins.size());
        assertEquals(0, logins.sessionCount());
    }

    @Test
    void ofMoreThanAMillionClientsThatStayThoseInUseStayLoggedIn() throws Exception {
        int capacity = 1 << 12;
        Logins logins = new Logins(capacity, VALID_NS);
        long first = add(logins, 0, 0);
        long unused = add(logins, 1, 1);
        for (int i = 2; i < MILLION + 10; i++) {
            add(logins, i % 1024, i);
            logins.find(first, 0, 0);
        }
        assertEquals(capacity, logins.size());
        assertThrows(StaleLoginException.class, () -> logins.find(unused, 1, 0));
    }

    @Test
    void aGreedySessionForgetsItsOwnLogins() throws Exception {
        Logins logins = new Logins(64, VALID_NS);
        long modest = add(logins, 1, 1);
        for (int i = 0; i < 1000; i++) {
            add(logins, 2, i);
        }
        assertEquals(1 + 8, logins.size()); // an eighth is its share
        assertSame(user, logins.find(modest, 1, 0).user());
    }

    @Test
    void aNumberIsOfItsSessionOnly() {
        Logins logins = new Logins(64, VALID_NS);
        long number = add(logins, 1, 1);
        add(logins, 2, 2);
        assertThrows(StaleLoginException.class, () -> logins.find(number, 2, 0));
        assertThrows(StaleLoginException.class, () -> logins.find(number + 2, 1, 0));
    }

    @Test
    void aLoginIsRenewedUnderItsNumberWhenItsTimeIsOver() throws Exception {
        Logins logins = new Logins(64, VALID_NS);
        long number = add(logins, 1, 1);
        Logins.Login first = logins.find(number, 1, VALID_NS);
        assertThrows(StaleLoginException.class, () -> logins.find(number, 1, VALID_NS + 1));
        assertEquals(number, logins.add(logins.session(1), user, host, clientId(1), logins.rules(), VALID_NS));
        assertNotSame(first, logins.find(number, 1, 2 * VALID_NS));
        assertEquals(1, logins.size());
    }

    @Test
    void changedRulesEndEveryLoginThatWasPermittedByThoseBefore() throws Exception {
        Logins logins = new Logins(64, VALID_NS);
        long number = add(logins, 1, 1);
        long asked = logins.rules();
        logins.rulesChanged(); // while another client is looked at by the rules before
        long late = logins.add(logins.session(1), user, host, clientId(2), asked, 0);
        assertThrows(StaleLoginException.class, () -> logins.find(number, 1, 0));
        assertThrows(StaleLoginException.class, () -> logins.find(late, 1, 0));
        assertSame(user, logins.find(add(logins, 1, 1), 1, 0).user());
    }

    @Test
    void aSessionThatEndedWhileItLoggedInLeavesNothing() {
        Logins logins = new Logins(64, VALID_NS);
        Logins.Session session = logins.session(1);
        logins.end(1);
        long number = logins.add(session, user, host, clientId(1), logins.rules(), 0);
        assertThrows(StaleLoginException.class, () -> logins.find(number, 1, 0));
        assertEquals(0, logins.size());
        assertNotEquals(session, logins.session(1));
    }
}
