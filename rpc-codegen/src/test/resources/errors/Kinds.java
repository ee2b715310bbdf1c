package org.acme;

import org.jvrpc.api.RpcService;

class Kinds {

    @RpcService // ERROR @RpcService stands on AClass, which is not an interface
    class AClass {
    }

    @RpcService // ERROR @RpcService stands on AnEnum, which is not an interface
    enum AnEnum { ONE }

    @RpcService // ERROR @RpcService stands on AnAnnotation, which is not an interface
    @interface AnAnnotation {
    }

    @RpcService // ERROR @RpcService stands on ARecord, which is not an interface
    record ARecord(int x) {
    }

    @RpcService
    private interface Private { // ERROR Private is private, or is inside something private: generated classes of its package cannot name it
        void run();
    }

    private static class Hidden {
        @RpcService
        interface Inside { // ERROR Inside is private, or is inside something private: generated classes of its package cannot name it
            void run();
        }
    }

    @RpcService
    interface Generic<T> { // ERROR Generic has type parameters: annotate an interface that extends it with type arguments
        T get();
    }

    @RpcService(name = "no spaces") // ERROR service name "no spaces" is not usable: take letters, digits and . _ - $
    interface Named {
        void run();
    }
}
