package org.jvrpc.codegen.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The contract that both sides of a connection must agree on, as text and as hashes of it. A method's signature carries
 * every layout that it reaches, so that a change of a record changes exactly the methods that use it. Deadlines,
 * {@code heavy} and {@code idempotent} are each side's own business and are not in it.
 */
public final class Schema {

    private final Shapes shapes;

    public Schema(Shapes shapes) {
        this.shapes = shapes;
    }

    /** Sorts methods by signature and gives each its index, handle, and fingerprint. */
    public List<MethodModel> methods(List<MethodShape> declared) {
        Map<MethodShape, List<String>> signatures = new HashMap<>();
        declared.forEach(shape -> signatures.put(shape, signature(shape)));
        List<MethodShape> sorted = new ArrayList<>(declared);
        sorted.sort(Comparator.comparing(shape -> join(signatures.get(shape))));
        Handles handles = new Handles(sorted);
        List<MethodModel> methods = new ArrayList<>();
        for (MethodShape shape : sorted) {
            List<String> signature = signatures.get(shape);
            methods.add(new MethodModel(shape, methods.size(), handles.next(shape), signature, hash(join(signature))));
        }
        return methods;
    }

    private List<String> signature(MethodShape method) {
        LayoutText layout = new LayoutText(shapes);
        String head = method.name()
                + method.parameters().stream()
                        .map(p -> (p.isInto() ? "into " : streamOf(p.role())) + layout.of(p.type()))
                        .collect(Collectors.joining(",", "(", ")"))
                + streamOf(method.result().role())
                + (method.result().isEmpty() ? "void" : layout.of(method.result().type()))
                + (method.settings().oneWay() ? " oneway" : "");
        if (!method.thrown().isEmpty()) {
            head += method.thrown().stream().map(layout::of).collect(Collectors.joining(",", " throws ", ""));
        }
        List<String> signature = new ArrayList<>(List.of(head));
        signature.addAll(layout.reached().values());
        return signature;
    }

    private static String streamOf(ParameterModel.Role role) {
        return role.isStream() ? "stream of " : "";
    }

    private static String join(List<String> signature) {
        return String.join(" ", signature);
    }

    /** Returns the hash of a whole service. */
    public long fingerprint(String wireName, List<MethodModel> methods) {
        StringBuilder text = new StringBuilder("jvrpc schema 1\nservice ").append(wireName).append('\n');
        methods.forEach(method -> text.append(join(method.signature())).append('\n'));
        shapes.objects().values().forEach(shape -> text.append(LayoutText.text(shape)).append('\n'));
        return hash(text.toString());
    }

    /** Returns the hash of the classes of object graphs, 0 when there are none. */
    static long objectsFingerprint(Shapes shapes) {
        StringBuilder text = new StringBuilder("jvrpc objects 1\n");
        shapes.objects().values().forEach(shape -> text.append(shape.concrete() ? "" : "abstract ")
                .append(LayoutText.text(shape)).append('\n'));
        return shapes.objects().isEmpty() ? 0 : hash(text.toString());
    }

    /** Returns the first 8 bytes of a text's SHA-256. */
    static long hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** Names of methods that stay apart when methods are overloaded: {@code find(long)} is {@code findLong}. */
    private static final class Handles {

        private final Map<String, Long> overloads;
        private final Set<String> taken = new HashSet<>();

        Handles(List<MethodShape> methods) {
            overloads = methods.stream().collect(Collectors.groupingBy(MethodShape::name, Collectors.counting()));
        }

        String next(MethodShape method) {
            String handle = method.name();
            if (overloads.get(handle) > 1) {
                handle += method.parameters().stream().map(p -> TypeLabel.of(p.type())).collect(Collectors.joining());
            }
            String unique = handle;
            for (int i = 2; !taken.add(unique.replace("_", "").toLowerCase(Locale.ROOT)); i++) {
                unique = handle + i;
            }
            return unique;
        }
    }
}
