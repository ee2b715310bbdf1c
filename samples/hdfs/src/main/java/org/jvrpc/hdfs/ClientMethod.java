package org.jvrpc.hdfs;

import java.lang.reflect.Method;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.Parser;

/** What a client knows of a method without its server: the name, and how a result is read. Immutable. */
record ClientMethod(String name, Parser<? extends Message> results) {

    /** @throws ReflectiveOperationException when the method's result is no message */
    static ClientMethod of(Method method) throws ReflectiveOperationException {
        Message prototype = (Message) method.getReturnType().getMethod("getDefaultInstance").invoke(null);
        return new ClientMethod(method.getName(), prototype.getParserForType());
    }
}
