package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** What a session has of its device and of its server's limits, until the last of it is given back. */
class SessionDomainTest {

    private static final int MIB = 1 << 20;

    private final Device device = Devices.open(ShmFolder.address());
    private final SessionBudget budget = new SessionBudget(new SessionLimits().bodyMemory(3L * MIB, 4L * MIB));
    private final SessionDomain domain = new SessionDomain(device, budget.admit(null));

    @AfterEach
    void close() {
        device.close();
    }

    private void uses(int sessions, long bodyBytes) {
        assertEquals("sessions=" + sessions + " peers=0 session bytes=0 body bytes=" + bodyBytes, budget.toString());
    }

    @Test
    void regionsAreCountedWhileTheyAreThere() {
        MemoryRegion region = domain.allocateBody(MIB, Access.LOCAL_WRITE);
        assertEquals(MIB, region.length());
        uses(1, MIB);
        assertFalse(domain.isScarce());
        MemoryRegion more = domain.allocateBody(2 * MIB, Access.LOCAL_WRITE);
        assertTrue(domain.isScarce());
        assertThrows(RpcException.class, () -> domain.allocateBody(1, Access.LOCAL_WRITE));
        uses(1, 3 * MIB);
        domain.freeBody(more);
        uses(1, MIB);
        domain.freeBody(region);
        domain.close();
        uses(0, 0);
    }

    @Test
    void aRegionThatCannotBeMadeIsNotCounted() {
        assertThrows(RuntimeException.class, () -> domain.allocateBody(-1, Access.LOCAL_WRITE));
        uses(1, 0);
        domain.close();
        uses(0, 0);
    }

    @Test
    void itEndsWithItsLastRegion() {
        MemoryRegion one = domain.allocateBody(MIB, Access.LOCAL_WRITE);
        MemoryRegion two = domain.allocateBody(MIB, Access.LOCAL_WRITE);
        domain.close();
        domain.close();
        uses(1, 2 * MIB);
        VerbsException e = assertThrows(VerbsException.class, () -> domain.allocateBody(MIB, Access.LOCAL_WRITE));
        assertEquals("reg_mr: session is over", e.getMessage());
        uses(1, 2 * MIB);
        domain.freeBody(one);
        uses(1, MIB);
        domain.freeBody(two);
        uses(0, 0);
        domain.close();
        assertThrows(RuntimeException.class, () -> domain.pd().allocate(MIB, Access.LOCAL_WRITE), "it is closed");
    }

    @Test
    void aClientsIsCountedNowhere() {
        SessionDomain own = new SessionDomain(device, null);
        MemoryRegion region = own.allocateBody(8 * MIB, Access.LOCAL_WRITE);
        assertFalse(own.isScarce());
        own.close();
        assertThrows(VerbsException.class, () -> own.allocateBody(MIB, Access.LOCAL_WRITE));
        own.freeBody(region);
        assertThrows(RuntimeException.class, () -> own.pd().allocate(MIB, Access.LOCAL_WRITE), "it is closed");
        uses(1, 0);
    }
}
