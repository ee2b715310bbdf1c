package org.jvrpc.codegen.write;

import com.palantir.javapoet.ClassName;

/** Names of the API that generated code uses. */
final class Api {

    static final ClassName RPC_EXCEPTION = ClassName.get("org.jvrpc.api", "RpcException");
    static final ClassName STATUS = ClassName.get("org.jvrpc.api", "Status");
    static final ClassName RPC_CALLBACK = ClassName.get("org.jvrpc.api", "RpcCallback");
    static final ClassName IN_PLACE = ClassName.get("org.jvrpc.api", "InPlace");

    static final ClassName STREAM_CALL = ClassName.get("org.jvrpc.api.stub", "StreamCall");
    static final ClassName STREAM_CODEC = ClassName.get("org.jvrpc.api.stub", "StreamCodec");
    static final ClassName STREAM_KIND = ClassName.get("org.jvrpc.api.stub", "StreamKind");
    static final ClassName RPC_CHANNEL = ClassName.get("org.jvrpc.api.stub", "RpcChannel");
    static final ClassName CLIENT_CALL = ClassName.get("org.jvrpc.api.stub", "ClientCall");
    static final ClassName SERVER_CALL = ClassName.get("org.jvrpc.api.stub", "ServerCall");
    static final ClassName RESULT_WRITER = SERVER_CALL.nestedClass("ResultWriter");
    static final ClassName RESULT_READER = ClassName.get("org.jvrpc.api.stub", "ResultReader");
    static final ClassName SKELETON = ClassName.get("org.jvrpc.api.stub", "Skeleton");
    static final ClassName SERVICE_DESCRIPTOR = ClassName.get("org.jvrpc.api.stub", "ServiceDescriptor");
    static final ClassName METHOD_DESCRIPTOR = ClassName.get("org.jvrpc.api.stub", "MethodDescriptor");

    static final ClassName WIRE_READER = ClassName.get("org.jvrpc.api.wire", "WireReader");
    static final ClassName WIRE_WRITER = ClassName.get("org.jvrpc.api.wire", "WireWriter");
    static final ClassName VALUES = ClassName.get("org.jvrpc.api.wire", "Values");

    private Api() {
    }
}
