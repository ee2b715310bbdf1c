package org.jvrpc.spring.test;

import java.util.List;
import java.util.Locale;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Makes what {@link JvrpcTest} asks for beyond filters. */
final class SliceCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        JvrpcTest test = TestContextAnnotationUtils.findMergedAnnotation(testClass, JvrpcTest.class);
        return test == null ? null
                : new SliceCustomizer(test.transport().name().toLowerCase(Locale.ROOT), List.of(test.stubs()));
    }
}
