package org.jvrpc.testkit;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ModifierSupport;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testkit.fault.Faults;
import org.jvrpc.testkit.script.Script;

/** What parameters and fields of tests are, by their types. */
final class Injection {

    private Injection() {
    }

    /** Returns the interfaces of a class that have generated code. */
    static List<Class<?>> services(Class<?> implementation) {
        List<Class<?>> found = new ArrayList<>();
        for (Class<?> each = implementation; each != null; each = each.getSuperclass()) {
            for (Class<?> candidate : each.getInterfaces()) {
                if (isService(candidate) && !found.contains(candidate)) {
                    found.add(candidate);
                }
            }
        }
        return found;
    }

    static boolean isService(Class<?> type) {
        try {
            return type.isInterface() && ServiceDescriptor.of(type) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static boolean supports(JvrpcExtension rpc, Type type) {
        return type == JvrpcExtension.class || type == RpcClient.class || type == RpcServer.class
                || type == Faults.class || script(rpc, type) != null || service(rpc, type) != null;
    }

    static Object value(JvrpcExtension rpc, Type type) {
        if (type == JvrpcExtension.class) {
            return rpc;
        }
        if (type == RpcClient.class) {
            return rpc.client();
        }
        if (type == RpcServer.class) {
            return rpc.server();
        }
        if (type == Faults.class) {
            return rpc.faults();
        }
        Class<?> scripted = script(rpc, type);
        if (scripted != null) {
            return rpc.script(scripted);
        }
        Class<?> service = service(rpc, type);
        return service == type ? rpc.stub(service) : rpc.asyncStub(service, (Class<?>) type);
    }

    /** Returns the service whose script a type is; null for none. */
    private static Class<?> script(JvrpcExtension rpc, Type type) {
        if (type instanceof ParameterizedType script && script.getRawType() == Script.class) {
            for (Class<?> service : rpc.services()) {
                if (service == script.getActualTypeArguments()[0]) {
                    return service;
                }
            }
        }
        return null;
    }

    /** Returns the service that a type is, or is the asynchronous twin of; null for none. */
    private static Class<?> service(JvrpcExtension rpc, Type type) {
        for (Class<?> service : rpc.services()) {
            if (service == type || ServiceDescriptor.of(service).asyncInterface() == type) {
                return service;
            }
        }
        return null;
    }

    /** Sets the fields of a test that ask for it. */
    static void inject(JvrpcExtension rpc, Object test) {
        for (Field field : AnnotationSupport.findAnnotatedFields(test.getClass(), JvrpcStub.class, any -> true,
                HierarchyTraversalMode.TOP_DOWN)) {
            if (ModifierSupport.isStatic(field) || ModifierSupport.isFinal(field)) {
                throw new ExtensionConfigurationException(field + " is to be neither static nor final");
            }
            if (!supports(rpc, field.getGenericType())) {
                continue; // another extension of this test may have it
            }
            try {
                field.setAccessible(true);
                field.set(test, value(rpc, field.getGenericType()));
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw new ExtensionConfigurationException(field + " cannot be set: " + e, e);
            }
        }
    }
}
