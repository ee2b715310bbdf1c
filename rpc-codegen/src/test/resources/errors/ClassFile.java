package org.acme;

import org.jvrpc.api.RpcService;
import org.jvrpc.api.stub.Skeleton;

@RpcService
interface ClassFile extends Skeleton { // ERROR java.lang.Throwable is too wide to declare: an error of the server would pass for an answer; take Exception (inherited: org.jvrpc.api.stub.Skeleton.dispatch(int,org.jvrpc.api.stub.ServerCall)) // ERROR parameter arg1: org.jvrpc.api.stub.ServerCall does not say which classes travel: name them in @RpcService(objects = ...) (inherited: org.jvrpc.api.stub.Skeleton.dispatch(int,org.jvrpc.api.stub.ServerCall))

    int fine();
}
