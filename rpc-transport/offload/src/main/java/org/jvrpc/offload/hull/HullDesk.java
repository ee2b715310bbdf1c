package org.jvrpc.offload.hull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jvrpc.offload.lookup.HostedClient;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** What the application asks of its hull. Any thread. */
final class HullDesk {

    private static final int MAX_OFFERS = 1024;

    private final OffloadHost host;
    private final MemoryRegion data;
    private final Map<String, Offer> offers = new HashMap<>();
    private final Map<HostedClient, Long> numbers = new IdentityHashMap<>();
    private final Semaphore seat = new Semaphore(1, true);
    private long nextNumber = 1;
    private long generation;
    private String attached = "nobody";
    private boolean formatted;

    HullDesk(OffloadHost host, MemoryRegion data) {
        this.host = host;
        this.data = data;
    }

    /** Counts the applications that were started. */
    synchronized void nextGeneration() {
        generation++;
    }

    /**
     * Takes the application's seat. There is one: two that write the same memory would spoil it. Waits for the one
     * before, whose end may take the kernel a moment.
     *
     * @return false when somebody has it still
     */
    boolean sit(String pid, long timeoutNs) throws InterruptedException {
        if (!seat.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS)) {
            return false;
        }
        synchronized (this) {
            attached = pid;
        }
        return true;
    }

    /** Leaves the seat: the application has closed, or is dead. */
    void rise() {
        seat.release();
    }

    synchronized String attached() {
        return attached;
    }

    String address() {
        return host.address();
    }

    byte[] exported() {
        return data.export();
    }

    synchronized long generation() {
        return generation;
    }

    synchronized boolean isFormatted() {
        return formatted;
    }

    synchronized void formatted(boolean formatted) {
        this.formatted = formatted;
    }

    /** @throws IllegalArgumentException for values that cannot be */
    synchronized Offered offer(String name, LookupKind kind, long header, Offer.Rearm rearm, long rate, int burst) {
        Offer offer = new Offer(name, kind, data, header, rearm, rate, burst);
        Offer before = offers.get(name);
        if (offer.equals(before)) {
            return Offered.SAME;
        }
        if (before == null && offers.size() == MAX_OFFERS) {
            throw new IllegalArgumentException("there are offers=" + MAX_OFFERS + " already: no more");
        }
        host.offer(offer);
        offers.put(name, offer);
        return before == null ? Offered.NEW : Offered.REPLACED;
    }

    /** Ends an offer and cuts off all who use it, or one of this name before. */
    synchronized boolean withdraw(String name) {
        boolean was = offers.remove(name) != null;
        host.withdraw(name);
        for (HostedClient client : host.clients()) {
            if (client.offer().name().equals(name)) {
                client.cutOff();
            }
        }
        return was;
    }

    /** Ends all offers in secret of the same name but this one. @return how many there were */
    synchronized int withdrawOthers(String name) {
        List<String> others = offers.keySet().stream()
                .filter(each -> !each.equals(name) && Offer.isSecretOf(each, name)).toList();
        others.forEach(this::withdraw);
        return others.size();
    }

    synchronized List<HostedLookup> clients() {
        List<HostedClient> living = host.clients();
        numbers.keySet().retainAll(living);
        List<HostedLookup> list = new ArrayList<>();
        for (HostedClient client : living) {
            Long number = numbers.get(client);
            if (number == null) {
                number = nextNumber++;
                numbers.put(client, number);
            }
            try {
                list.add(new HostedLookup(number, client.offer().name(), client.executed()));
            } catch (VerbsException e) {
                numbers.remove(client); // it left meanwhile
            }
        }
        return list;
    }

    /** Cuts a client off. @return false when there is none of this number */
    synchronized boolean cut(long number) {
        for (Map.Entry<HostedClient, Long> entry : numbers.entrySet()) {
            if (entry.getValue() == number) {
                return entry.getKey().cutOff();
            }
        }
        return false;
    }
}
