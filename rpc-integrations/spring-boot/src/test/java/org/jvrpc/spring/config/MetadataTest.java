package org.jvrpc.spring.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.yaml.snakeyaml.Yaml;

/** Editors are told of the properties that there are. */
class MetadataTest {

    private static Map<String, Map<String, Object>> described() throws IOException {
        try (InputStream file =
                MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            Map<String, Object> all = new Yaml().load(file); // which JSON is
            Map<String, Map<String, Object>> byName = new TreeMap<>();
            for (Object each : (List<?>) all.get("properties")) {
                @SuppressWarnings("unchecked")
                Map<String, Object> property = (Map<String, Object>) each;
                byName.put((String) property.get("name"), property);
            }
            return byName;
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Maps have one entry, whose values are not walked. */
    private static void walk(String prefix, Class<?> type, Map<String, RecordComponent> found) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + kebab(component.getName());
            if (component.getType().isRecord()) {
                walk(name, component.getType(), found);
            } else {
                found.put(name, component);
            }
        }
    }

    @Test
    void everyPropertyIsDescribedAndNoOther() throws IOException {
        Map<String, RecordComponent> there = new TreeMap<>();
        walk(JvrpcProperties.PREFIX, JvrpcProperties.class, there);
        Map<String, Map<String, Object>> described = described();
        assertThat(described.keySet()).filteredOn(name -> name.startsWith("jvrpc"))
                .containsExactlyElementsOf(there.keySet());
        described.forEach((name, property) -> {
            ConfigurationPropertyName.of(name);
            assertThat((String) property.get("description")).endsWith(".");
            RecordComponent component = there.get(name);
            if (component != null) {
                String type = ((String) property.get("type")).replaceAll("<.*", "");
                assertThat(type).endsWith(component.getType().isPrimitive() ? "Boolean"
                        : component.getType().getName());
                DefaultValue value = component.getAnnotation(DefaultValue.class);
                if (value != null) {
                    assertEquals(value.value()[0], property.get("defaultValue").toString());
                }
            }
        });
    }

    @Test
    void theNamesOfAClientsPropertiesAreSaid() throws IOException {
        String description = (String) described().get("jvrpc.clients").get("description");
        for (RecordComponent component : ClientProperties.class.getRecordComponents()) {
            assertThat(description).contains(kebab(component.getName()));
        }
        String listeners = (String) described().get("jvrpc.server.listeners").get("description");
        for (RecordComponent component : ListenerProperties.class.getRecordComponents()) {
            assertThat(listeners).contains(kebab(component.getName()));
        }
    }
}
