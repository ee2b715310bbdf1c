package org.jvrpc.spring;

import org.jvrpc.api.stub.ServiceDescriptor;
import org.springframework.util.ClassUtils;

/** Tells interfaces of services from others: the compiler keeps no annotation of them that is there at run time. */
public final class Generated {

    private Generated() {
    }

    /** Returns true when there is generated code of an interface. */
    public static boolean isThere(Class<?> type) {
        return type.isInterface() && descriptorClass(type) != null;
    }

    /** Returns the class that describes an interface's service, or null when there is none. */
    public static Class<?> descriptorClass(Class<?> type) {
        String name = descriptorName(type.getName());
        if (!ClassUtils.isPresent(name, type.getClassLoader())) {
            return null;
        }
        Class<?> found = ClassUtils.resolveClassName(name, type.getClassLoader());
        return ServiceDescriptor.class.isAssignableFrom(found) ? found : null;
    }

    static String descriptorName(String type) {
        return type.replace('$', '_') + "Service";
    }
}
