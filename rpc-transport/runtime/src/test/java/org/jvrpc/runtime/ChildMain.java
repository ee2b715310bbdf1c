package org.jvrpc.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcException;
import org.jvrpc.offload.hull.Hull;
import org.jvrpc.offload.hull.HullClient;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Devices;

/** What child processes of the tests do, by name. */
public final class ChildMain {

    private ChildMain() {
    }

    /** Returns the command that starts a role, see {@link #main}. */
    public static JavaCommand command(String... arguments) {
        return JavaCommand.of(ChildMain.class).option("-Xmx256m").arguments(arguments);
    }

    /** Starts a role. */
    public static ChildJvm start(String... arguments) {
        return command(arguments).start();
    }

    /** Starts a hull whose application is a role. */
    static ChildJvm startInHull(String hullAddress, String... arguments) {
        return JavaCommand.of(Hull.class).option("-Xmx64m").readsItsInput()
                .arguments("--address", hullAddress, "--bytes", "1m", "--quick-ms", "0", "--")
                .arguments(command(arguments).toList()).start();
    }

    /** Runs a role: {@code server ADDRESS}, {@code quotes ADDRESS [HOST NAME]}, {@code client ADDRESS} and so on. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "server" -> serve(arguments[1]);
            case "quotes" -> serveQuotes(arguments);
            case "hulled" -> serveFromHull(arguments[1]);
            case "client" -> call(arguments[1]);
            case "leaks" -> leaks(arguments[1]);
            case "full" -> full(arguments[1]);
            case "churn" -> SessionChurn.run(arguments[1], Integer.parseInt(arguments[2]));
            case "connect" -> connect(arguments[1]);
            case "calls" -> calls(arguments[1], Long.parseLong(arguments[2]));
            case "removed", "loaded", "left", "messages", "listening" -> new RemovalRoles(arguments[2]).run(arguments);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        Parent.idle();
    }

    /** Serves; {@code callBack} answers how many calls of {@code nothing} were made. */
    private static void serve(String address) {
        CallsImpl impl = new CallsImpl();
        RoceRxeCalls.count(impl);
        Parent.say("READY " + RpcServer.builder().bind(address).service(Calls.class, impl).context(true).start()
                .address());
    }

    private static void calls(String address, long seed) {
        RoceRxeCalls.call(address, seed);
        Parent.say("CALLED");
    }

    private static void connect(String address) {
        try (RpcClient client = RemovalRoles.connect(address)) {
            Parent.say("CONNECTED " + client.address());
        } catch (RpcException e) {
            Parent.say("REFUSED " + e.status() + " " + e.getMessage());
        }
    }

    /** Serves answers of programs: its own, or, with a host's address and name, of another process. */
    private static void serveQuotes(String[] arguments) {
        QuotesImpl quotes = new QuotesImpl();
        OffloadSettings settings = new OffloadSettings().capacity(100);
        if (arguments.length > 2) {
            settings.hosted(arguments[2], arguments[3], Devices.open(arguments[1]).allocatePd()
                    .allocate(settings.bytes(), Access.LOCAL_WRITE), 0);
        }
        RpcServer server = RpcServer.builder().bind(arguments[1]).service(Quotes.class, quotes)
                .offload(Quotes.class, "last(long)", settings).start();
        for (long i = 0; i < 50; i++) {
            long id = i;
            quotes.last.put(i, i * 3);
            server.offloaded(Quotes.class, "last(long)").publish(q -> q.last(id));
        }
        Parent.say("READY");
    }

    /** Serves answers that lie in the memory of a hull; publishes only where no application before has. */
    private static void serveFromHull(String address) {
        QuotesImpl quotes = new QuotesImpl();
        for (long i = 0; i < 50; i++) {
            quotes.last.put(i, i * 3);
        }
        HullClient hull = HullClient.attach(Devices.open(address));
        RpcServer server = RpcServer.builder().bind(address).service(Quotes.class, quotes)
                .offload(Quotes.class, "last(long)",
                        new OffloadSettings().capacity(100).hosted(hull.address(), "quotes/last", hull.region(), 0))
                .start();
        OffloadedMethod<Quotes> last = server.offloaded(Quotes.class, "last(long)");
        Parent.say("FOUND " + last.size());
        for (long i = last.size(); i < 50; i++) {
            long id = i;
            last.publish(q -> q.last(id));
        }
        hull.offer("quotes/last", LookupKind.HASH_GET, last.header());
        Parent.say("READY " + ProcessHandle.current().pid());
    }

    /** Calls without end, and says how far it got now and then. */
    private static void call(String address) {
        RpcClient client = RemovalRoles.connect(address);
        Calls calls = client.stub(Calls.class);
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
        Parent.say("READY");
        byte[] large = Bytes.of(3_000_000, 7);
        for (int i = 0;; i++) {
            async.hangLater(i).whenComplete((value, failure) -> {
            });
            for (int j = 0; j < 200; j++) {
                if (calls.add(i, j) != i + j) {
                    Parent.say("WRONG");
                }
                calls.tick(0);
            }
            if (!Arrays.equals(large, i % 2 == 0 ? calls.echo(large) : calls.echoHeavy(large))) {
                Parent.say("WRONG");
            }
            Parent.say("PROGRESS " + i);
            if (i % 40 == 39) {
                client.close();
                client = RpcClient.connect(address);
                calls = client.stub(Calls.class);
                async = client.asyncStub(Calls.class, CallsAsync.class);
            }
        }
    }

    /** Connects a thousand times, and says what it holds after 104 and after all. */
    private static void leaks(String address) {
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start()) {
            connectAndLeave(server.address(), 13);
            Parent.say("EARLY " + Holdings.settled());
            connectAndLeave(server.address(), 112);
            Parent.say("LATE " + Holdings.settled());
        }
    }

    /** Does so a number of times on each of eight threads. */
    private static void connectAndLeave(String address, int times) {
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            threads.add(Await.start(() -> {
                for (int i = 0; i < times; i++) {
                    try (RpcClient client = RpcClient.connect(address)) {
                        if (client.stub(Calls.class).add(i, 1) != i + 1) {
                            Parent.say("WRONG");
                        }
                    }
                }
                return true;
            }));
        }
        threads.forEach(Await::join);
    }

    /** Fills the folder by connections and by bodies, and says what was refused and how. */
    private static void full(String address) {
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start();
                RpcClient first = RpcClient.builder(server.address()).slots(4).connect()) {
            Calls calls = first.stub(Calls.class);
            Parent.say("SMALL " + calls.add(1, 2));
            try {
                calls.echo(new byte[32 << 20]);
                Parent.say("BODY fits");
            } catch (RpcException e) {
                Parent.say("BODY " + e.status() + " " + e.getMessage());
            }
            try {
                calls.sized(32 << 20, 1);
                Parent.say("RESULT fits");
            } catch (RpcException e) {
                Parent.say("RESULT " + e.status() + " " + e.getMessage());
            }
            Parent.say("SMALL " + calls.add(2, 3));
            String refused = "nothing";
            for (int i = 0; i < 200 && refused.equals("nothing"); i++) {
                try {
                    RpcClient.builder(server.address()).slots(256).connect();
                } catch (RpcException e) {
                    refused = e.status() + " " + e.getMessage();
                }
            }
            Parent.say("CONNECT " + refused);
            for (int i = 0; i < 1000; i++) {
                if (calls.add(i, i) != 2L * i) {
                    Parent.say("WRONG");
                }
            }
            Parent.say("SMALL " + calls.add(3, 4));
        }
    }
}
