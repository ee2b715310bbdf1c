package org.jvrpc.spring.server;

import java.util.List;
import java.util.Set;

/**
 * One bean that is served.
 *
 * @param name of the bean
 * @param bean the object, with its proxies
 * @param services the interfaces that are served
 * @param listeners where; empty for everywhere
 */
record ServiceBean(String name, Object bean, List<Class<?>> services, Set<String> listeners) {

    boolean isAt(String listener) {
        return listeners.isEmpty() || listeners.contains(listener);
    }
}
