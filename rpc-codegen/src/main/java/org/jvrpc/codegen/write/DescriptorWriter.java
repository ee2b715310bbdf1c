package org.jvrpc.codegen.write;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.NameAllocator;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.MethodShape;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;

/** Writes {@code OrdersService}: constants of the methods, and the factory of stubs and skeletons. */
final class DescriptorWriter {

    private static final TypeName ANY_CLASS =
            ParameterizedTypeName.get(ClassName.get(Class.class), WildcardTypeName.subtypeOf(Object.class));
    private static final int TEXT_WIDTH = 90;

    private final ServiceModel service;
    private final NameAllocator constants = new NameAllocator();

    DescriptorWriter(ServiceModel service) {
        this.service = service;
        service.methods().forEach(method -> constants.newName(method.constant()));
        List.of("NAME", "METHODS", "OBJECT_CLASSES").forEach(name -> constants.newName(name, name));
    }

    TypeSpec.Builder write() {
        TypeSpec.Builder type = TypeSpec.classBuilder(service.part(Part.SERVICE))
                .addJavadoc("What both sides know of {@link $T}.\n", service.type())
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addSuperinterface(ParameterizedTypeName.get(Api.SERVICE_DESCRIPTOR, service.type()));
        type.addField(constant(ClassName.get(String.class), "NAME", CodeBlock.of("$S", service.wireName())));
        service.methods().forEach(method -> type.addField(descriptor(method)));
        type.addField(constant(listOf(Api.METHOD_DESCRIPTOR), "METHODS", list(methodNames())));
        type.addField(constant(listOf(ANY_CLASS), "OBJECT_CLASSES", list(classLiterals())));
        type.addMethod(constructor());
        type.addMethod(getter(ClassName.get(String.class), "name", CodeBlock.of(constants.get("NAME"))));
        type.addMethod(getter(TypeName.LONG, "fingerprint", hash(service.fingerprint())));
        type.addMethod(getter(listOf(Api.METHOD_DESCRIPTOR), "methods", CodeBlock.of(constants.get("METHODS"))));
        type.addMethod(getter(listOf(ANY_CLASS), "objectClasses", CodeBlock.of(constants.get("OBJECT_CLASSES"))));
        if (service.objectsFingerprint() != 0) {
            type.addMethod(getter(TypeName.LONG, "objectsFingerprint", hash(service.objectsFingerprint())));
        }
        type.addMethod(factory(service.type(), "stub", Part.STUB, Api.RPC_CHANNEL, "channel"));
        type.addMethod(factory(service.part(Part.ASYNC), "asyncStub", Part.ASYNC_STUB, Api.RPC_CHANNEL, "channel"));
        type.addMethod(getter(ANY_CLASS, "asyncInterface", CodeBlock.of("$T.class", service.part(Part.ASYNC))));
        type.addMethod(factory(Api.SKELETON, "skeleton", Part.SKELETON, service.type(), "implementation"));
        return type;
    }

    private static TypeName listOf(TypeName element) {
        return ParameterizedTypeName.get(ClassName.get(List.class), element);
    }

    // private static final String NAME = "org.acme.Orders";
    private FieldSpec constant(TypeName type, String name, CodeBlock value) {
        return FieldSpec.builder(type, constants.get(name), Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
                .initializer(value)
                .build();
    }

    // public static final MethodDescriptor FIND = new MethodDescriptor(
    //         1,
    //         NAME,
    //         "find",
    //         "find(long)org.acme.Order throws org.acme.NoSuchOrderException{id:long}"
    //             + " org.acme.Order{id:long,symbol:String}",
    //         0x0123456789abcdefL,
    //         false,
    //         false,
    //         0L,
    //         false,
    //         false);
    private FieldSpec descriptor(MethodModel method) {
        MethodShape.Settings settings = method.shape().settings();
        CodeBlock value = CodeBlock.builder()
                .add("new $T(\n$>$>$L,\n$L,\n$S,\n", Api.METHOD_DESCRIPTOR, method.index(), constants.get("NAME"),
                        method.name())
                .add(text(method.signature()))
                .add(",\n$L,\n$L,\n$L,\n$LL,\n$L,\n$L", hash(method.fingerprint()), method.heavy(),
                        settings.oneWay(), settings.deadlineNs(), settings.offload(), settings.idempotent())
                .add(method.hasStream() ? CodeBlock.of(",\n$T.$L)$<$<", Api.STREAM_KIND, streams(method))
                        : CodeBlock.of(")$<$<"))
                .build();
        return FieldSpec.builder(Api.METHOD_DESCRIPTOR, method.constant(), Modifier.PUBLIC, Modifier.STATIC,
                Modifier.FINAL)
                .addJavadoc("{@code $L}\n", head(method))
                .initializer(value)
                .build();
    }

    private static String streams(MethodModel method) {
        return method.shape().stream() == null ? "RESULT" : method.result().isStream() ? "BOTH" : "ARGUMENT";
    }

    private static String head(MethodModel method) {
        StringBuilder text = new StringBuilder(method.name()).append('(');
        for (int i = 0; i < method.parameters().size(); i++) {
            text.append(i == 0 ? "" : ", ").append(SimpleText.of(method.parameters().get(i).javaType()));
        }
        return text.append(')').toString();
    }

    private static CodeBlock text(List<String> signature) {
        CodeBlock.Builder text = CodeBlock.builder();
        String separator = "";
        for (String element : signature) {
            for (String piece : pieces(separator + element)) {
                text.add(separator.isEmpty() ? "$S$>$>" : "\n+ $S", piece);
                separator = " ";
            }
        }
        return text.add("$<$<").build();
    }

    private static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        while (text.length() - from > TEXT_WIDTH) {
            int comma = text.lastIndexOf(',', from + TEXT_WIDTH);
            int to = comma > from ? comma + 1 : from + TEXT_WIDTH;
            pieces.add(text.substring(from, to));
            from = to;
        }
        pieces.add(text.substring(from));
        return pieces;
    }

    private static CodeBlock hash(long value) {
        return CodeBlock.of("0x$LL", String.format("%016x", value));
    }

    private List<CodeBlock> methodNames() {
        return service.methods().stream().map(method -> CodeBlock.of(method.constant())).toList();
    }

    private List<CodeBlock> classLiterals() {
        return service.shapes().objectClasses().stream().map(type -> CodeBlock.of("$T.class", type)).toList();
    }

    private static CodeBlock list(List<CodeBlock> elements) {
        return CodeBlock.of("$T.of($L)", List.class, CodeBlock.join(elements, ",$W"));
    }

    private static MethodSpec constructor() {
        return MethodSpec.constructorBuilder()
                .addJavadoc("For {@link $T#of}.\n", Api.SERVICE_DESCRIPTOR)
                .addModifiers(Modifier.PUBLIC)
                .build();
    }

    // @Override
    // public long fingerprint() {
    //     return 0x0123456789abcdefL;
    // }
    private static MethodSpec getter(TypeName type, String name, CodeBlock value) {
        return MethodSpec.methodBuilder(name)
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(type)
                .addStatement("return $L", value)
                .build();
    }

    // @Override
    // public Orders stub(RpcChannel channel) {
    //     return new OrdersStub(channel);
    // }
    private MethodSpec factory(TypeName result, String name, Part part, TypeName argument, String argumentName) {
        return MethodSpec.methodBuilder(name)
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(result)
                .addParameter(argument, argumentName)
                .addStatement("return new $T($L)", service.part(part), argumentName)
                .build();
    }
}
