package org.jvrpc.codegen.write;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jvrpc.codegen.model.Component;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ParameterModel;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.TypeLabel;
import org.jvrpc.codegen.model.WireType;

/** What the codec of a service has methods for, and their names: {@code Order} is read by {@code readOrder}. */
final class CodecNames {

    private final ServiceModel service;
    private final Set<WireType> reached = new HashSet<>();
    private final Map<WireType, String> types = new LinkedHashMap<>();
    private final Map<ExceptionShape, String> exceptions = new LinkedHashMap<>();

    CodecNames(ServiceModel service) {
        this.service = service;
        Set<ExceptionShape> thrown = new TreeSet<>(Comparator.comparing(shape -> shape.type().toString()));
        for (MethodModel method : service.methods()) {
            method.parameters().stream().filter(p -> !p.isInto()).map(ParameterModel::type).forEach(this::reach);
            if (!method.result().isEmpty()) {
                reach(method.result().type());
            }
            thrown.addAll(method.thrown());
        }
        thrown.stream().flatMap(shape -> shape.components().stream()).map(Component::type).forEach(this::reach);
        allocate(thrown);
    }

    private void reach(WireType type) {
        if (!reached.add(type)) {
            return;
        }
        type.parts().forEach(this::reach);
        if (type instanceof WireType.RecordType record) {
            service.shapes().record(record).components().forEach(component -> reach(component.type()));
        }
    }

    private void allocate(Set<ExceptionShape> thrown) {
        Map<String, Integer> taken = new HashMap<>();
        List<WireType> sorted = reached.stream()
                .filter(type -> !(type instanceof WireType.Basic))
                .sorted(Comparator.comparing((WireType type) -> TypeLabel.of(type))
                        .thenComparing(WireType::toString))
                .toList();
        sorted.forEach(type -> types.put(type, unique(TypeLabel.of(type), taken)));
        thrown.forEach(shape -> exceptions.put(shape, unique(shape.type().simpleName(), taken)));
    }

    private static String unique(String label, Map<String, Integer> taken) {
        String name = label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1);
        int uses = taken.merge(name, 1, Integer::sum);
        return uses == 1 ? name : unique(name + uses, taken);
    }

    /** Returns the types that have methods, sorted by name. */
    Map<WireType, String> types() {
        return types;
    }

    /** Returns the exceptions, sorted by name. */
    Map<ExceptionShape, String> exceptions() {
        return exceptions;
    }

    String of(WireType type) {
        return Objects.requireNonNull(types.get(type), type::toString);
    }

    String of(ExceptionShape exception) {
        return Objects.requireNonNull(exceptions.get(exception), exception::toString);
    }
}
