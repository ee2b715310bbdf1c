package org.acme;

import java.util.List;
import org.jvrpc.api.RpcService;

class Access {

    private record Secret(int value) {
    }

    private enum Mood { GOOD, BAD }

    private static class Failure extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static class Graph {
    }

    @RpcService
    interface Api {

        void record(List<Secret> secrets); // ERROR parameter secrets: org.acme.Access.Secret is not accessible from package org.acme, where the generated code is

        Mood mood(); // ERROR result of mood: org.acme.Access.Mood is not accessible from package org.acme, where the generated code is

        void fails() throws Failure; // ERROR org.acme.Access.Failure is not accessible from package org.acme, where the generated code is

        void graph(Graph graph); // ERROR parameter graph: org.acme.Access.Graph is not accessible from package org.acme, where the generated code is
    }
}
