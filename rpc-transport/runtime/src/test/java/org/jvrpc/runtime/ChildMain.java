package org.jvrpc.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.offload.hull.HullClient;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Devices;

/** What child processes of the tests do, by name. */
final class ChildMain {

    private ChildMain() {
    }

    /** Runs a role: {@code server ADDRESS}, {@code quotes ADDRESS [HOST NAME]}, {@code client ADDRESS} and so on. */
    public static void main(String[] arguments) throws IOException {
        Thread role = new Thread(() -> {
            try {
                switch (arguments[0]) {
                    case "server" -> serve(arguments[1]);
                    case "quotes" -> serveQuotes(arguments);
                    case "hulled" -> serveFromHull(arguments[1]);
                    case "client" -> call(arguments[1]);
                    case "leaks" -> leaks(arguments[1]);
                    case "full" -> full(arguments[1]);
                    case "connect" -> connect(arguments[1]);
                    case "removed", "loaded", "left", "messages", "listening" ->
                        new RemovalRoles(arguments[2]).run(arguments);
                    default -> throw new IllegalArgumentException(arguments[0]);
                }
            } catch (Throwable t) {
                say("FAILED " + t + " at " + Arrays.toString(t.getStackTrace()));
            }
        });
        role.setDaemon(true);
        role.start();
        while (System.in.read() >= 0) {
            // until the parent is gone
        }
        System.exit(0);
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static void serve(String address) {
        say("READY " + RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).context(true).start()
                .address());
    }

    private static void connect(String address) {
        try (RpcClient client = RemovalRoles.connect(address)) {
            say("CONNECTED " + client.address());
        } catch (RpcException e) {
            say("REFUSED " + e.status() + " " + e.getMessage());
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
        say("READY");
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
        say("FOUND " + last.size());
        for (long i = last.size(); i < 50; i++) {
            long id = i;
            last.publish(q -> q.last(id));
        }
        hull.offer("quotes/last", LookupKind.HASH_GET, last.header());
        say("READY " + ProcessHandle.current().pid());
    }

    /** Calls without end, and says how far it got now and then. */
    private static void call(String address) {
        RpcClient client = RemovalRoles.connect(address);
        Calls calls = client.stub(Calls.class);
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
        say("READY");
        byte[] large = Bytes.of(3_000_000, 7);
        for (int i = 0;; i++) {
            async.hangLater(i).whenComplete((value, failure) -> {
            });
            for (int j = 0; j < 200; j++) {
                if (calls.add(i, j) != i + j) {
                    say("WRONG");
                }
                calls.tick(0);
            }
            if (!Arrays.equals(large, i % 2 == 0 ? calls.echo(large) : calls.echoHeavy(large))) {
                say("WRONG");
            }
            say("PROGRESS " + i);
            if (i % 40 == 39) {
                client.close();
                client = RpcClient.connect(address);
                calls = client.stub(Calls.class);
                async = client.asyncStub(Calls.class, CallsAsync.class);
            }
        }
    }

    private static long count(String folder, String containing) throws IOException {
        if (folder.endsWith("maps")) {
            try (var lines = Files.lines(Path.of(folder))) {
                return lines.filter(line -> line.contains(containing)).count();
            }
        }
        try (var list = Files.walk(Path.of(folder))) {
            return list.count();
        }
    }

    private static String resources(String shm) throws IOException {
        long maps = Long.MAX_VALUE;
        for (int i = 0; i < 50; i++) { // mappings go when the collector finds them
            System.gc();
            long now = count("/proc/self/maps", shm);
            if (i > 5 && now >= maps) {
                break;
            }
            maps = Math.min(maps, now);
            LockSupport.parkNanos(20_000_000);
        }
        try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count() + " " + maps + " " + count(shm, "");
        }
    }

    /** Connects a thousand times, and says descriptors, mappings and files after 104 and after all. */
    private static void leaks(String address) throws IOException {
        String shm = System.getProperty(ShmFolder.PROPERTY);
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start()) {
            connectAndLeave(server.address(), 13);
            say("EARLY " + resources(shm));
            connectAndLeave(server.address(), 112);
            say("LATE " + resources(shm));
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
                            say("WRONG");
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
            say("SMALL " + calls.add(1, 2));
            try {
                calls.echo(new byte[32 << 20]);
                say("BODY fits");
            } catch (RpcException e) {
                say("BODY " + e.status() + " " + e.getMessage());
            }
            try {
                calls.sized(32 << 20, 1);
                say("RESULT fits");
            } catch (RpcException e) {
                say("RESULT " + e.status() + " " + e.getMessage());
            }
            say("SMALL " + calls.add(2, 3));
            String refused = "nothing";
            for (int i = 0; i < 200 && refused.equals("nothing"); i++) {
                try {
                    RpcClient.builder(server.address()).slots(256).connect();
                } catch (RpcException e) {
                    refused = e.status() + " " + e.getMessage();
                }
            }
            say("CONNECT " + refused);
            for (int i = 0; i < 1000; i++) {
                if (calls.add(i, i) != 2L * i) {
                    say("WRONG");
                }
            }
            say("SMALL " + calls.add(3, 4));
        }
    }
}
