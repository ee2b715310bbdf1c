package org.jvrpc.runtime.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.contract.Third;
import org.jvrpc.runtime.contract.ThirdService;
import org.jvrpc.runtime.contract.Twin;
import org.jvrpc.runtime.contract.TwinService;

class ServiceTableTest {

    private final ServiceTable table = new ServiceTable();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16);
    private ServiceTable.Method[] opened = new ServiceTable.Method[0];

    private int open(ServiceDescriptor<?> service) {
        WireWriter out = new WireWriter();
        out.reset(memory, 0, memory.capacity() - 8, null, null);
        ServiceTable.writeOpen(out, service);
        WireReader in = new WireReader();
        in.reset(memory, 0, out.length(), null);
        WireWriter answer = new WireWriter();
        answer.reset(memory, memory.capacity() - 8, memory.capacity(), null, null);
        opened = table.open(in, answer, opened);
        WireReader read = new WireReader();
        read.reset(memory, memory.capacity() - 8, 4, null);
        return read.readInt();
    }

    @Test
    void methodsOfServicesFollowEachOther() {
        table.add(ServiceDescriptor.of(Twin.class), text -> text);
        table.add(ServiceDescriptor.of(Calls.class), new CallsImpl());
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        int third = 1 + new CallsService().methods().size();
        assertEquals(0, open(new TwinService()));
        assertEquals(1, open(new CallsService()));
        assertEquals(third, open(new ThirdService()));
        assertEquals("say", opened[0].descriptor().name());
        assertEquals("sum", opened[third].descriptor().name());
        assertEquals(third + 1, opened.length);
    }

    @Test
    void whatIsNotOpenedIsNamed() {
        table.add(ServiceDescriptor.of(Twin.class), text -> text);
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        assertEquals(1, open(new ThirdService()));
        assertNull(opened[0]);
        assertEquals("sum", opened[1].descriptor().name());
        RpcException unopened = table.unopened(0);
        assertEquals(Status.FAILED_PRECONDITION, unopened.status());
        assertTrue(unopened.getMessage().contains(Twin.class.getName() + "/say"), unopened.getMessage());
        assertEquals(Status.UNIMPLEMENTED, table.unopened(2).status());
    }

    @Test
    void anUnknownServiceIsToldWithThoseThereAre() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        RpcException e = assertThrows(RpcException.class, () -> open(new TwinService()));
        assertEquals(Status.UNIMPLEMENTED, e.status());
        assertTrue(e.getMessage().contains(Twin.class.getName()) && e.getMessage().contains("[third]"), e.getMessage());
    }

    @Test
    void aServiceIsAddedOnce() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        assertThrows(IllegalArgumentException.class,
                () -> table.add(ServiceDescriptor.of(Third.class), number -> number));
        assertEquals(0, open(new ThirdService()));
    }
}
