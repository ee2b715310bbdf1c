package org.acme;

import org.jvrpc.api.RpcService;

@RpcService
interface Clash { // ERROR org.acme.ClashStub would be generated for org.acme.Clash, but there is another type of that name
    void run();
}

class ClashStub {
}

class Outer {
    @RpcService
    interface Inner {
        void run();
    }
}

@RpcService
interface Outer_Inner { // ERROR org.acme.Outer_InnerAsync would be generated for org.acme.Outer_Inner, but there is another type of that name // ERROR org.acme.Outer_InnerAsyncStub would be generated for org.acme.Outer_Inner, but there is another type of that name // ERROR org.acme.Outer_InnerCodec would be generated for org.acme.Outer_Inner, but there is another type of that name // ERROR org.acme.Outer_InnerService would be generated for org.acme.Outer_Inner, but there is another type of that name // ERROR org.acme.Outer_InnerSkeleton would be generated for org.acme.Outer_Inner, but there is another type of that name // ERROR org.acme.Outer_InnerStub would be generated for org.acme.Outer_Inner, but there is another type of that name
    void run();
}

@RpcService
interface Nested { // ERROR org.acme.NestedCodec would be generated for org.acme.Nested, but there is another type of that name
    void run();

    class NestedCodec {
    }
}
