package org.jvrpc.hdfs;

import java.io.IOException;
import java.lang.reflect.Method;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/** What a client knows of a method without its server: the name, and how a result is read. Immutable. */
record ClientMethod(String name, Parser<? extends Message> results) {

    /** @throws ReflectiveOperationException when the method's result is no message */
    static ClientMethod of(Method method) throws ReflectiveOperationException {
        Message prototype = (Message) method.getReturnType().getMethod("getDefaultInstance").invoke(null);
        return new ClientMethod(method.getName(), prototype.getParserForType());
    }

    /** Reads a result. Its strings go on lying in the bytes until they are asked for: those must not change. */
    Message read(byte[] result) throws IOException {
        CodedInputStream in = UnsafeByteOperations.unsafeWrap(result).newCodedInput();
        in.enableAliasing(true);
        Message message = results.parseFrom(in);
        in.checkLastTagWas(0);
        return message;
    }
}
