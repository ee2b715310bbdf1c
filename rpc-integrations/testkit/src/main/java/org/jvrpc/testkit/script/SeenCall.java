package org.jvrpc.testkit.script;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A call that came.
 *
 * @param method of the service's interface
 * @param arguments in order, null among them; streams and buffers are what the handler was given
 */
public record SeenCall(Method method, List<Object> arguments) {

    static SeenCall of(Method method, Object[] arguments) {
        return new SeenCall(method, arguments == null ? List.of()
                : Collections.unmodifiableList(Arrays.asList(arguments.clone())));
    }

    @Override
    public String toString() {
        String text = Arrays.deepToString(arguments.toArray());
        return method.getName() + "(" + text.substring(1, text.length() - 1) + ")";
    }
}
