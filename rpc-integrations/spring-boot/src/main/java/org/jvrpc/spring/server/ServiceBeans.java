package org.jvrpc.spring.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jvrpc.spring.Generated;
import org.jvrpc.spring.JvrpcConfigurationException;
import org.jvrpc.spring.JvrpcService;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Finds the beans of a context that are served. */
public final class ServiceBeans {

    private ServiceBeans() {
    }

    /** Makes the beans that are annotated, in the order of their definitions. */
    static List<ServiceBean> of(ListableBeanFactory factory) {
        List<ServiceBean> all = new ArrayList<>();
        for (String name : factory.getBeanNamesForAnnotation(JvrpcService.class)) {
            JvrpcService annotation = factory.findAnnotationOnBean(name, JvrpcService.class);
            if (annotation != null) {
                Object bean = factory.getBean(name);
                List<Class<?>> services = services(annotation, AopUtils.getTargetClass(bean));
                check(name, bean, services);
                all.add(new ServiceBean(name, bean, services, Set.of(annotation.listeners())));
            }
        }
        return List.copyOf(all);
    }

    /** Returns the interfaces of a class that are served. */
    public static List<Class<?>> services(JvrpcService annotation, Class<?> type) {
        if (annotation.value().length > 0) {
            return List.of(annotation.value());
        }
        return Arrays.stream(ClassUtils.getAllInterfacesForClass(type)).<Class<?>>map(each -> each)
                .filter(Generated::isThere).toList();
    }

    private static void check(String name, Object bean, List<Class<?>> services) {
        if (services.isEmpty()) {
            throw new JvrpcConfigurationException("the bean " + name + " of "
                    + AopUtils.getTargetClass(bean).getName() + " is to be served, and none of its interfaces has"
                    + " generated code", "Annotate the interface with @RpcService, and have the compiler run"
                    + " jvrpc-codegen (annotationProcessorPaths).", null);
        }
        for (Class<?> service : services) {
            if (!service.isInstance(bean)) {
                throw new JvrpcConfigurationException("the bean " + name + " of " + bean.getClass().getName()
                        + " is to be served as " + service.getName() + ", which it does not implement",
                        "Have the bean implement it, or name another interface in @JvrpcService.", null);
            }
        }
    }
}
