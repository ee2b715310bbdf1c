package org.jvrpc.recording.dynamic;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jvrpc.recording.json.Json;

/** A handler threw an exception that its method declares. */
public final class DeclaredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String type;
    private final transient Map<String, Object> components;

    /**
     * Names what was thrown.
     *
     * @param type the layout's name
     * @param components as JSON, by name
     */
    public DeclaredException(String type, Map<String, Object> components) {
        super(type + " " + Json.write(components, false));
        this.type = type;
        this.components = components;
    }

    /** {@code {"exception":"org.acme.NoSuchOrderException","components":{"id":7}}}. */
    public Map<String, Object> asJson() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("exception", type);
        all.put("components", components);
        return all;
    }

    /** Returns the layout's name. */
    public String type() {
        return type;
    }

    /** Returns the components as JSON, by name. */
    public Map<String, Object> components() {
        return components;
    }
}
