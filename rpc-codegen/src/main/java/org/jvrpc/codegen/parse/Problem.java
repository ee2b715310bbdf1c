package org.jvrpc.codegen.parse;

/** Every error that the processor reports, in one place. Texts say what is wrong, then what to do. */
enum Problem {
    NOT_AN_INTERFACE("@RpcService stands on %s, which is not an interface"),
    INTERFACE_PRIVATE("%s is private, or is inside something private: generated classes of its package cannot name it"),
    INTERFACE_GENERIC("%s has type parameters: annotate an interface that extends it with type arguments"),
    SERVICE_NAME("service name \"%s\" is not usable: take letters, digits and . _ - $"),
    NAME_CLASH("%s would be generated for %s, but there is another type of that name"),
    DUPLICATE_METHOD("%s inherits %s from %s and from %s with different results or exceptions: declare it in %s"),
    SAME_ERASURE("%s and %s have the same parameters after erasure"),

    METHOD_GENERIC("%s has type parameters of its own: both sides must know the types, so name them"),
    LOCAL_METHOD("@%s on %s has no effect: a method with a body stays local"),
    ONE_WAY_RESULT("@OneWay method %s returns %s, but it has no answer: return void"),
    ONE_WAY_THROWS("@OneWay method %s declares exceptions, but it has no answer"),
    OFFLOAD_ONE_WAY("@Offload method %s is one-way: there is no answer that a program could find"),
    OFFLOAD_VOID("@Offload method %s returns nothing that a program could find: return what the arguments stand for"),
    OFFLOAD_HEAVY("@Offload method %s is heavy: the server looks its answers up, so it must be light"),
    OFFLOAD_FUTURE("@Offload method %s returns %s: a program answers before the call returns, so return the value"),
    OFFLOAD_INTO("@Offload method %s has the @Into parameter %s, but it is known by its arguments alone"),
    DEADLINE("deadline \"%s\" is not a positive number with a unit of ns us ms s m h, such as \"250us\" or \"2s\""),
    FUTURE_ARGUMENT("%s needs a type argument that names a type"),

    INTO_TYPE("@Into parameter %s is %s: it must be a java.nio.ByteBuffer"),
    INTO_TWICE("%s has two @Into parameters: one buffer can carry bytes back"),
    INTO_WITHOUT_ANSWER("@Into parameter %s: %s is one-way or asynchronous, so no bytes come back before it returns"),
    INTO_RESULT("@Into parameter %s: %s returns %s, but beside a buffer it can return only void or a primitive"),
    INTO_NULLABLE("@Into parameter %s cannot be @Nullable"),
    IN_PLACE_TYPE("@InPlace parameter %s is %s: it must be a java.nio.ByteBuffer"),
    IN_PLACE_LATER("@InPlace parameter %s: %s is heavy or asynchronous, but the view ends before its handler does"),
    IN_PLACE_NULLABLE("@InPlace parameter %s cannot be @Nullable"),

    STREAM_TWICE("%s has two parameters that are streams: put one kind of element into one stream"),
    STREAM_ELEMENT("%s: name the type of a stream's elements"),
    STREAM_NULLABLE("%s cannot be @Nullable: a stream, or an element of one, is never null"),
    STREAM_OF_STREAM("%s cannot travel: the elements of a stream are values, not streams"),
    STREAM_ONE_WAY("@OneWay method %s has a stream, which is answered, as its end is: leave @OneWay out"),
    STREAM_OFFLOAD("@Offload method %s has a stream: a program finds one answer"),
    STREAM_INTO("@Into parameter %s: %s has a stream, and its result is not copied into a caller's buffer"),

    EXCEPTION_TOO_WIDE("%s is too wide to declare: an error of the server would pass for an answer; take Exception"),
    EXCEPTION_ABSTRACT("exception %s is abstract: declare a class that can be made"),
    EXCEPTION_CONSTRUCTOR("exception %s has no constructor to carry it: give it one whose parameters match accessors of"
            + " the same name and type, or one of a String message, or one without parameters, accessible from %s"),

    SINCE_VALUE("@Since(%d) on %s: versions count from 1"),
    SINCE_ORDER("%s stands behind one with @Since(%d): new components stand at the end, in the order of their"
            + " versions"),
    UNKNOWN_TWICE("%s has two constants with @UnknownConstant"),

    NULLABLE_PRIMITIVE("%s is a primitive and cannot be @Nullable"),
    RAW_TYPE("%s is raw: name its type arguments"),
    WILDCARD("%s: a wildcard without an upper bound does not say what travels"),
    WILDCARD_RECORD("%s: name the type arguments of a record"),
    TYPE_VARIABLE("type variable %s stands for no type"),
    INACCESSIBLE("%s is not accessible from package %s, where the generated code is"),
    ENDLESS_RECORD("every %s would hold another one: reach it through @Nullable, Optional or a collection"),
    INNER_CLASS("%s is an inner class and would take its outer object along: make it static"),
    UNSUPPORTED("%s cannot travel: %s"),
    NO_IMPLEMENTATION("%s does not say which classes travel: name them in @RpcService(objects = ...)"),
    OBJECTS_PRIMITIVE("%s in objects is not a class or an array");

    private final String format;

    Problem(String format) {
        this.format = format;
    }

    String text(Object... values) {
        return format.formatted(values);
    }
}
