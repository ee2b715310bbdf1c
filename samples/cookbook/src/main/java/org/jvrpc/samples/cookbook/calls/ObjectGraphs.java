package org.jvrpc.samples.cookbook.calls;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Classes that are no records travel as object graphs by Kryo, cycles and subclasses included. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class ObjectGraphs {

    private ObjectGraphs() {
    }

    // snippet begins
    public static class Part {
        String name;
        Part whole; // a cycle: the whole knows its parts
        List<Part> parts = new ArrayList<>();

        Part with(Part part) {
            part.whole = this;
            parts.add(part);
            return this;
        }
    }

    public static final class Wheel extends Part {
        int inches;
    }

    @RpcService(objects = Wheel.class) // what the signatures do not name has to be named here
    public interface Garage {
        String describe(Part part);
    }

    public static void main(String[] args) {
        Garage garage = part -> part.name + " with " + part.parts.size() + " wheels of "
                + ((Wheel) part.parts.get(0)).inches + " inches, all of one " + part.parts.get(0).whole.name;
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-garage").service(Garage.class, garage).start();
             RpcClient client = RpcClient.connect("shm://cookbook-garage")) {
            Part bicycle = new Part();
            bicycle.name = "bicycle";
            for (int i = 0; i < 2; i++) {
                Wheel wheel = new Wheel();
                wheel.inches = 28;
                bicycle.with(wheel);
            }
            System.out.println(client.stub(Garage.class).describe(bicycle));
        }
    }
    // snippet ends
}
