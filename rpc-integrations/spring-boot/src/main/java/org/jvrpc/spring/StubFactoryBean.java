package org.jvrpc.spring;

import org.jvrpc.api.stub.ServiceDescriptor;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;

/** The bean of one stub. That its client has settings is checked when the context is refreshed. */
public final class StubFactoryBean implements FactoryBean<Object>, InitializingBean {

    private final JvrpcClients clients;
    private final String client;
    private final Class<?> service;
    private final boolean async;
    private Object stub;

    /**
     * Describes a stub.
     *
     * @param async whether it is that of the asynchronous twin
     */
    public StubFactoryBean(JvrpcClients clients, String client, Class<?> service, boolean async) {
        this.clients = clients;
        this.client = client;
        this.service = service;
        this.async = async;
    }

    @Override
    public void afterPropertiesSet() {
        stub = async ? clients.asyncStub(client, service) : clients.stub(client, service);
    }

    @Override
    public Object getObject() {
        return stub;
    }

    @Override
    public Class<?> getObjectType() {
        return async ? ServiceDescriptor.of(service).asyncInterface() : service;
    }
}
