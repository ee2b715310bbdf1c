package org.jvrpc.tools.call;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jvrpc.tools.call.json.Json;

/** A handler threw an exception that its method declares. */
final class DeclaredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String type;
    private final transient Map<String, Object> components;

    DeclaredException(String type, Map<String, Object> components) {
        super(type + " " + Json.write(components, false));
        this.type = type;
        this.components = components;
    }

    /** {@code {"exception":"org.acme.NoSuchOrderException","components":{"id":7}}}. */
    Map<String, Object> asJson() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("exception", type);
        all.put("components", components);
        return all;
    }
}
