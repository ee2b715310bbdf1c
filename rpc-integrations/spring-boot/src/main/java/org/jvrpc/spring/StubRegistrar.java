package org.jvrpc.spring;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** Defines the stubs that {@link ImportJvrpcClients} names. */
final class StubRegistrar implements ImportBeanDefinitionRegistrar {

    private static final Pattern NAME = Pattern.compile("[a-z0-9](-?[a-z0-9]+)*");

    private final ClassLoader loader;

    /** Spring gives the class loader. */
    StubRegistrar(ClassLoader loader) {
        this.loader = loader;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        metadata.getAnnotations().stream(ImportJvrpcClients.class).forEach(one -> one(metadata, one, registry));
        metadata.getAnnotations().stream(ImportJvrpcClients.All.class).forEach(all -> {
            for (MergedAnnotation<ImportJvrpcClients> one : all.getAnnotationArray("value", ImportJvrpcClients.class)) {
                one(metadata, one, registry);
            }
        });
    }

    private void one(
            AnnotationMetadata metadata, MergedAnnotation<ImportJvrpcClients> one, BeanDefinitionRegistry registry) {
        String client = one.getString("value");
        if (!NAME.matcher(client).matches()) {
            throw new JvrpcConfigurationException("@ImportJvrpcClients on " + metadata.getClassName()
                    + " has the client name \"" + client + "\"", "Use small letters and digits, and - between them:"
                    + " properties could not name the client otherwise.", null);
        }
        Set<Class<?>> types = new LinkedHashSet<>(List.of(one.getClassArray("types")));
        Set<String> packages = new LinkedHashSet<>(List.of(one.getStringArray("basePackages")));
        if (types.isEmpty() && packages.isEmpty()) {
            packages.add(ClassUtils.getPackageName(metadata.getClassName()));
        }
        for (String each : packages) {
            Set<Class<?>> found = scan(each);
            if (found.isEmpty()) {
                throw new JvrpcConfigurationException("@ImportJvrpcClients on " + metadata.getClassName()
                        + " finds no interface with generated code in package " + each, "Name packages or types that"
                        + " have interfaces with @RpcService, and have the compiler run jvrpc-codegen"
                        + " (annotationProcessorPaths).", null);
            }
            types.addAll(found);
        }
        types.forEach(type -> StubDefinitions.register(registry, client, type));
    }

    /** Generated code tells by its name which interface it belongs to. */
    private Set<Class<?>> scan(String name) {
        Set<Class<?>> found = new LinkedHashSet<>();
        String folder = ClassUtils.convertClassNameToResourcePath(name);
        String pattern = "classpath*:" + folder + "/**/*Service.class";
        try {
            for (Resource resource : new PathMatchingResourcePatternResolver(loader).getResources(pattern)) {
                String url = resource.getURL().toString();
                String path = url.substring(url.lastIndexOf(folder + "/"), url.length() - ".class".length());
                interfaceOf(ClassUtils.convertResourcePathToClassName(path), found);
            }
        } catch (IOException e) {
            throw new JvrpcConfigurationException("package " + name + " cannot be read: " + e, "Name the interfaces by"
                    + " types of @ImportJvrpcClients.", e);
        }
        return found;
    }

    private void interfaceOf(String descriptor, Set<Class<?>> found) {
        String type = descriptor.substring(0, descriptor.length() - "Service".length());
        if (ClassUtils.isPresent(type, loader)) { // nested interfaces, whose $ became _, are named by types alone
            Class<?> candidate = ClassUtils.resolveClassName(type, loader);
            if (Generated.isThere(candidate)) {
                found.add(candidate);
            }
        }
    }
}
