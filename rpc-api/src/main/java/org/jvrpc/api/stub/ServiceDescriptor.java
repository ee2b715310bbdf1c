package org.jvrpc.api.stub;

import java.util.List;

/**
 * Describes a service to both sides before any call, and makes the stubs and skeletons that the processor wrote for it.
 * Generated: one class {@code XxxService} for the interface {@code Xxx}, with a public constructor without parameters.
 *
 * @param <T> the annotated interface
 */
public interface ServiceDescriptor<T> {

    /** Returns the name on the wire. */
    String name();

    /** Returns the hash of everything that both sides must agree on: methods, layouts, object registrations. */
    long fingerprint();

    /** Returns the methods, by index. */
    List<MethodDescriptor> methods();

    /** Returns the classes that travel as object graphs, in the order of their registration numbers. */
    List<Class<?>> objectClasses();

    /** Returns the hash of those classes, their fields and their order; 0 when there are none, or it is not known. */
    default long objectsFingerprint() {
        return 0;
    }

    /** Makes a synchronous stub over a channel bound to this service. */
    T stub(RpcChannel channel);

    /** Makes the stub of the generated asynchronous twin over a channel bound to this service. */
    Object asyncStub(RpcChannel channel);

    /** Returns the generated asynchronous twin's interface. */
    Class<?> asyncInterface();

    /** Makes the skeleton that calls an implementation. */
    Skeleton skeleton(T implementation);

    /**
     * Finds what the processor wrote for an interface.
     *
     * @throws IllegalArgumentException when there is nothing: the message says what to check
     */
    static <T> ServiceDescriptor<T> of(Class<T> service) {
        String name = service.getName().replace('$', '_') + "Service";
        try {
            @SuppressWarnings("unchecked")
            ServiceDescriptor<T> descriptor = Class.forName(name, true, service.getClassLoader())
                    .asSubclass(ServiceDescriptor.class)
                    .getDeclaredConstructor()
                    .newInstance();
            return descriptor;
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("no generated class " + name + " for " + service.getName()
                    + ": is the interface annotated with @RpcService, and does the compiler run jvrpc-codegen"
                    + " (annotationProcessorPaths)?", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("generated class " + name + " cannot be made: " + e, e);
        }
    }
}
