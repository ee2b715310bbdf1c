package org.jvrpc.runtime.server;

import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.service.ServiceTable;

/** The methods of the services that a client has opened, by number. Poller thread. */
final class OpenedMethods {

    private final ServiceTable services;
    private ServiceTable.Method[] methods = new ServiceTable.Method[0];

    OpenedMethods(ServiceTable services) {
        this.services = services;
    }

    /** Returns a method, or null where none is open. */
    ServiceTable.Method find(int number) {
        return number < methods.length ? methods[number] : null;
    }

    /** Opens a service for the client that asks by a slot's arguments. @throws RpcException when it cannot be */
    void open(ServerSlot slot) {
        methods = services.open(slot.arguments(), slot.result(), methods);
    }

    /** Returns what a call of a method fails with that is not open. */
    RpcException unopened(int number) {
        return services.unopened(number);
    }
}
