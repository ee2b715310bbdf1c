package org.jvrpc.benchmarks.soak.role;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.benchmarks.soak.plan.Place;
import org.jvrpc.runtime.RpcClient;

/** A client with threads that call, modest or greedy. */
final class CallerRole implements Role {

    private static final int THREADS = 3;
    private static final int MOST_CREDITS = 1000;

    private final Environs environs;
    private final Targets targets;
    private final CallAccount account;
    private final List<CallerThread> callers = new ArrayList<>();
    private volatile boolean mayCall;
    private RpcClient holder;
    private CampaignService brief;

    CallerRole(Environs environs) {
        this.environs = environs;
        this.targets = new Targets(environs.servers(), environs.notes());
        this.account = new CallAccount(environs);
        Plant plant = new Plant();
        for (int i = 0; i < THREADS; i++) {
            CallerThread caller = new CallerThread(targets, account, plant, () -> mayCall,
                    environs.place().role() == Place.Role.GREEDY, environs.seed() + i);
            Thread thread = new Thread(caller, "soak-caller-" + i);
            thread.setDaemon(true);
            thread.start();
            callers.add(caller);
        }
    }

    @Override
    public String execute(String[] words) throws Exception {
        switch (words[0]) {
            case "go" -> mayCall = true;
            case "rest" -> mayCall = false;
            case "under-way" -> {
                return Long.toString(account.underWay());
            }
            case "connected" -> {
                return Boolean.toString(targets.areConnected());
            }
            case "interrupt" -> callers.forEach(CallerThread::interrupt);
            case "close" -> targets.reopen(Integer.parseInt(words[1]) % targets.count());
            case "slots-lost" -> {
                return Integer.toString(Target.SLOTS - freeSlots());
            }
            case "hold" -> hold();
            case "credits" -> {
                return Integer.toString(freeCredits());
            }
            default -> throw new IllegalArgumentException("unknown command=" + words[0]);
        }
        return "";
    }

    /** Returns how many calls can be under way to the first server at once. */
    private int freeSlots() throws Exception {
        CampaignServiceAsync async = targets.get(0).client().asyncStub(CampaignService.class,
                CampaignServiceAsync.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(30)));
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < Target.SLOTS; i++) {
            calls.add(async.gather(environs.place().number(), Target.SLOTS));
        }
        int most = 0;
        for (CompletableFuture<Integer> call : calls) {
            most = Math.max(most, call.get(40, TimeUnit.SECONDS));
        }
        return most;
    }

    /** Has the first server's poller held up. */
    private void hold() {
        brief = targets.get(0).client().stub(CampaignService.class,
                CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(500)));
        holder = RpcClient.connect(Environs.calls(0));
        holder.asyncStub(CampaignService.class, CampaignServiceAsync.class).hold();
    }

    /** Returns how many one-way calls leave while the server's poller is held up. */
    private int freeCredits() {
        int sent = 0;
        try {
            while (sent < MOST_CREDITS) {
                brief.tick(0);
                sent++;
            }
            throw new IllegalStateException("one-way calls leave without end: sent=" + sent);
        } catch (RpcException e) {
            return sent; // no credit is left
        } finally {
            holder.close();
        }
    }

    @Override
    public void end() throws InterruptedException {
        mayCall = false;
        targets.end();
    }
}
