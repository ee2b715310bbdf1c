package org.jvrpc.samples.kv.memcache;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.jvrpc.samples.kv.store.ClassCounter;
import org.jvrpc.samples.kv.store.Counter;
import org.jvrpc.samples.kv.store.Item;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreStatistics;

/** What "stats" tells, by memcached's names where it means the same. */
final class Statistics {

    /** Takes one line. */
    @FunctionalInterface
    interface Sink {

        /** Takes it. */
        void stat(String name, String value);
    }

    private final Store store;
    private final ServerStatus status;

    Statistics(Store store, ServerStatus status) {
        this.store = store;
        this.status = status;
    }

    void reset() {
        store.resetStatistics();
        status.resetCounters();
    }

    /** @param group "" for the general ones @return false for a group that there is not */
    boolean write(String group, Sink sink) {
        StoreStatistics statistics = store.statistics();
        switch (group) {
            case "":
                general(statistics, sink);
                return true;
            case "settings":
                settings(statistics, sink);
                return true;
            case "items":
                items(statistics, sink);
                return true;
            case "slabs":
                slabs(statistics, sink);
                return true;
            case "sizes":
                sink.stat("sizes_status", "disabled");
                return true;
            case "conns":
                sink.stat("curr_connections", Integer.toString(status.connections.get()));
                return true;
            default:
                return false;
        }
    }

    private void general(StoreStatistics statistics, Sink sink) {
        long now = store.clock().seconds();
        sink.stat("pid", Long.toString(ProcessHandle.current().pid()));
        sink.stat("uptime", Long.toString(now - status.startSeconds));
        sink.stat("time", Long.toString(now));
        sink.stat("version", ServerStatus.VERSION);
        sink.stat("libevent", "java.nio");
        sink.stat("pointer_size", "64");
        long cpuNs = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
        sink.stat("rusage_user", String.format(Locale.ROOT, "%.6f", cpuNs / 1e9));
        sink.stat("rusage_system", "0.000000");
        sink.stat("max_connections", Integer.toString(status.settings.maxConnections()));
        sink.stat("curr_connections", Integer.toString(status.connections.get()));
        sink.stat("total_connections", Long.toString(status.totalConnections.get()));
        sink.stat("rejected_connections", Long.toString(status.rejectedConnections.get()));
        sink.stat("connection_structures", Integer.toString(status.connections.get()));
        for (Counter counter : Counter.values()) {
            sink.stat(counter.label(), Long.toUnsignedString(statistics.get(counter)));
        }
        sink.stat("auth_cmds", "0");
        sink.stat("auth_errors", "0");
        sink.stat("bytes_read", Long.toString(status.bytesRead.sum()));
        sink.stat("bytes_written", Long.toString(status.bytesWritten.sum()));
        sink.stat("limit_maxbytes", Long.toString(statistics.memoryLimit()));
        sink.stat("accepting_conns", "1");
        sink.stat("threads", Integer.toString(status.settings.threads()));
        sink.stat("hash_power_level", Integer.toString(Long.numberOfTrailingZeros(statistics.mainBuckets())));
        sink.stat("hash_bytes", Long.toString(statistics.mainBuckets() * Long.BYTES));
        sink.stat("hash_is_expanding", "0");
        sink.stat("offload_buckets", Long.toString(statistics.offloadBuckets()));
        sink.stat("offload_items", Long.toString(statistics.offloadEntries()));
        sink.stat("bytes", Long.toString(statistics.itemBytes()));
        sink.stat("curr_items", Long.toString(statistics.items()));
    }

    private void settings(StoreStatistics statistics, Sink sink) {
        sink.stat("maxbytes", Long.toString(statistics.memoryLimit()));
        sink.stat("maxconns", Integer.toString(status.settings.maxConnections()));
        sink.stat("tcpport", Integer.toString(status.port));
        sink.stat("udpport", "0");
        sink.stat("inter", status.settings.host());
        sink.stat("verbosity", Integer.toString(status.verbosity));
        sink.stat("evictions", "on");
        sink.stat("domain_socket",
                status.settings.unixSocket() == null ? "NULL" : status.settings.unixSocket().toString());
        sink.stat("shutdown_command", "no");
        sink.stat("growth_factor", "1.25");
        sink.stat("num_threads", Integer.toString(status.settings.threads()));
        sink.stat("stat_key_prefix", ":");
        sink.stat("detail_enabled", status.prefixes.isOn() ? "yes" : "no");
        sink.stat("cas_enabled", "yes");
        sink.stat("binding_protocol", "auto-negotiate");
        sink.stat("auth_enabled_sasl", "no");
        sink.stat("auth_enabled_ascii", "no");
        sink.stat("item_size_max", Integer.toString(Item.MAX_VALUE));
        sink.stat("maxconns_fast", "yes");
        sink.stat("flush_enabled", "yes");
        sink.stat("dump_enabled", "no");
        sink.stat("lru_segmented", "yes");
        sink.stat("hot_lru_pct", "20");
        sink.stat("warm_lru_pct", "40");
        sink.stat("track_sizes", "no");
    }

    private static void items(StoreStatistics statistics, Sink sink) {
        for (StoreStatistics.SizeClass sizeClass : statistics.classes()) {
            if (sizeClass.used() == 0) {
                continue;
            }
            String prefix = "items:" + sizeClass.number() + ":";
            sink.stat(prefix + "number", Long.toString(sizeClass.used()));
            sink.stat(prefix + "number_hot", Long.toString(sizeClass.hot()));
            sink.stat(prefix + "number_warm", Long.toString(sizeClass.warm()));
            sink.stat(prefix + "number_cold", Long.toString(sizeClass.cold()));
            sink.stat(prefix + "mem_requested", Long.toString(sizeClass.get(ClassCounter.MEM_REQUESTED)));
            sink.stat(prefix + "evicted", Long.toString(sizeClass.get(ClassCounter.EVICTED)));
            sink.stat(prefix + "outofmemory", Long.toString(sizeClass.get(ClassCounter.OUT_OF_MEMORY)));
            sink.stat(prefix + "reclaimed", Long.toString(sizeClass.get(ClassCounter.RECLAIMED)));
            sink.stat(prefix + "expired_unfetched", Long.toString(sizeClass.get(ClassCounter.EXPIRED_UNFETCHED)));
            sink.stat(prefix + "evicted_unfetched", Long.toString(sizeClass.get(ClassCounter.EVICTED_UNFETCHED)));
            sink.stat(prefix + "evicted_active", Long.toString(sizeClass.get(ClassCounter.EVICTED_ACTIVE)));
        }
    }

    private static void slabs(StoreStatistics statistics, Sink sink) {
        for (StoreStatistics.SizeClass sizeClass : statistics.classes()) {
            String prefix = sizeClass.number() + ":";
            sink.stat(prefix + "chunk_size", Integer.toString(sizeClass.chunk()));
            sink.stat(prefix + "chunks_per_page", Integer.toString(sizeClass.perPage()));
            sink.stat(prefix + "total_pages", Long.toString(sizeClass.pages()));
            sink.stat(prefix + "total_chunks", Long.toString(sizeClass.pages() * sizeClass.perPage()));
            sink.stat(prefix + "used_chunks", Long.toString(sizeClass.used()));
            sink.stat(prefix + "free_chunks", Long.toString(sizeClass.free()));
            sink.stat(prefix + "free_chunks_end", "0");
            for (ClassCounter counter : ClassCounter.values()) {
                if (counter.ordinal() <= ClassCounter.TOUCH_HITS.ordinal()) {
                    sink.stat(prefix + counter.name().toLowerCase(Locale.ROOT),
                            Long.toString(sizeClass.get(counter)));
                }
            }
        }
        sink.stat("active_slabs", Integer.toString(statistics.classes().size()));
        sink.stat("total_malloced", Long.toString((long) statistics.pages() * statistics.pageBytes()));
    }
}
