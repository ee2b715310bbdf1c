package org.jvrpc.offload.lookup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;

/**
 * Hosts lookups: gives each client that connects its queues, its keys and its program, and takes them back when the
 * client is gone. Its thread makes connections and re-arms programs that do not do so themselves; answering takes no
 * part of it. Any thread.
 */
public final class OffloadHost implements AutoCloseable {

    /**
     * The most clients at a time: each takes 4 memory regions or more of its device, which has 4096, and which may have
     * others to serve.
     */
    static final int MAX_CLIENTS = 256;

    private static final Pattern HOST_AND_PORT = Pattern.compile("([a-z]+://(?:\\[[^]]*]|[^:/?]+)):\\d+(.*)");
    private static final long LOOK_NS = 100_000_000;
    /** Of one look: however many come, the others' programs are written anew meanwhile. */
    private static final int MOST_REQUESTS = 32;
    private static final long REARM_NS = 50_000;
    private static final System.Logger LOG = System.getLogger(OffloadHost.class.getName());

    private final Device device;
    private final EventChannel channel;
    private final Listener listener;
    private final Thread thread;
    private final Map<String, Offer> offers = new ConcurrentHashMap<>();
    private final List<HostedClient> clients = new CopyOnWriteArrayList<>();
    private final Doorkeeper doorkeeper;
    private volatile boolean stopped;

    /** Says who may use a lookup. Called by the host's thread, or by who has it look again. */
    @FunctionalInterface
    public interface Doorkeeper {

        /** Lets everybody in. */
        Doorkeeper EVERYBODY = (request, lookup) -> () -> true;

        /**
         * Looks at somebody who connects.
         *
         * @param lookup name of the offer
         * @return says whether they may, now and whenever it is asked again
         */
        BooleanSupplier look(ConnectionRequest request, String lookup);
    }

    /** Begins to listen for everybody, as {@link #OffloadHost(Device, String, Doorkeeper)}. */
    public OffloadHost(Device device, String address) {
        this(device, address, Doorkeeper.EVERYBODY);
    }

    /**
     * Begins to listen.
     *
     * @param device makes the queues, and is to outlive the host
     * @param address where clients connect
     * @param doorkeeper says who may
     * @throws org.jvrpc.verbs.VerbsException when the address is taken
     */
    public OffloadHost(Device device, String address, Doorkeeper doorkeeper) {
        this.device = device;
        this.doorkeeper = doorkeeper;
        this.channel = device.createChannel();
        try {
            this.listener = device.listen(address, channel);
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
        this.thread = new Thread(this::run, "jvrpc-offload-" + address.substring(address.indexOf("://") + 3));
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns where a server has lookups hosted beside its calls: at another name, or any free port of its host. */
    public static String beside(String serverAddress) {
        Matcher parts = HOST_AND_PORT.matcher(serverAddress);
        return parts.matches() ? parts.group(1) + ":0" + parts.group(2) : serverAddress + ".offload";
    }

    /** Returns where clients connect. */
    public String address() {
        return listener.address();
    }

    /** Offers a lookup; one of the same name is replaced for clients to come. */
    public void offer(Offer offer) {
        offers.put(offer.name(), offer);
    }

    /** Ends an offer, and cuts off those who use it. */
    public void withdraw(String name) {
        Offer offer = offers.remove(name);
        for (HostedClient client : clients) {
            if (client.offer() == offer) {
                client.cutOff();
            }
        }
    }

    /** Cuts off those whom the doorkeeper does not let in any more. */
    public void lookAgain() {
        for (HostedClient client : clients) {
            if (!client.mayStay()) {
                client.cutOff();
            }
        }
    }

    /** Returns who uses lookups now. */
    public List<HostedClient> clients() {
        return List.copyOf(clients);
    }

    private void run() {
        while (!stopped) {
            boolean worked = false;
            boolean rearms = false;
            int left = MOST_REQUESTS;
            for (ConnectionRequest request = listener.poll(); request != null;
                    request = left > 0 ? listener.poll() : null) {
                left--;
                answer(request);
                worked = true;
            }
            for (HostedClient client : clients) {
                if (!client.isConnected()) {
                    bury(client);
                } else if (client.offer().rearm() == Offer.Rearm.PREPOSTED) {
                    worked |= rearm(client);
                    rearms = true;
                }
            }
            channel.await(worked ? 0 : rearms ? REARM_NS : LOOK_NS);
        }
        new ArrayList<>(clients).forEach(this::bury);
    }

    /** A client whose program cannot be written, since it was cut off perhaps, is no reason to leave the others. */
    private boolean rearm(HostedClient client) {
        try {
            return client.rearm();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING,
                    "a client of " + Offer.shown(client.offer().name()) + " is dropped: " + e);
            bury(client);
            return true;
        }
    }

    private void bury(HostedClient client) {
        clients.remove(client);
        try {
            client.close();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "closing a client of " + Offer.shown(client.offer().name())
                    + ": " + e);
        }
    }

    private void answer(ConnectionRequest request) {
        LookupHello.Request hello = LookupHello.Request.decode(request.privateData());
        Offer offer = hello == null ? null : offers.get(hello.name());
        if (offer == null) {
            reject(request, hello == null ? "not a client of lookups, or of another version"
                    : "no lookup name=" + hello.name() + " here; lookups="
                    + offers.keySet().stream().filter(name -> !Offer.isSecret(name)).toList());
            return;
        }
        if (!hasRoom()) {
            reject(request, "the host has as many clients as it takes: clients=" + clients.size());
            return;
        }
        HostedClient client = null;
        try {
            BooleanSupplier may = doorkeeper.look(request, offer.name());
            if (!may.getAsBoolean()) {
                reject(request, "not allowed: lookup name=" + offer.name());
                return;
            }
            client = new HostedClient(device, offer, hello, may);
            clients.add(client); // who is answered is listed
            client.accept(request);
        } catch (RuntimeException | Error e) { // no memory, perhaps: without this thread nobody is served
            LOG.log(System.Logger.Level.WARNING,
                    "a client of " + Offer.shown(offer.name()) + " cannot be served: " + e);
            if (client != null) {
                bury(client);
            }
            if (!(e instanceof ConnectionException)) {
                reject(request, "the host cannot serve another client: " + e.getMessage());
            }
        }
    }

    /** Makes room if need be: clients that are gone leave, else the oldest that has not shown that it is there. */
    private boolean hasRoom() {
        if (clients.size() >= MAX_CLIENTS) {
            clients.stream().filter(client -> !client.isConnected()).forEach(this::bury);
        }
        if (clients.size() >= MAX_CLIENTS) {
            clients.stream().filter(client -> !client.isProven()).findFirst().ifPresent(this::bury);
        }
        return clients.size() < MAX_CLIENTS;
    }

    private void reject(ConnectionRequest request, String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        try {
            request.reject(Arrays.copyOf(text, Math.min(text.length, device.maxAnswerBytes())));
        } catch (ConnectionException | IllegalStateException e) {
            LOG.log(System.Logger.Level.DEBUG, "who was refused is gone: " + e);
        }
    }

    /** Disconnects everybody, and waits for that also when it is interrupted. Idempotent. */
    @Override
    public void close() {
        stopped = true;
        channel.wakeup();
        boolean interrupted = false;
        for (boolean waits = true; waits;) {
            try {
                thread.join(5000);
                waits = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        listener.close();
        channel.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
