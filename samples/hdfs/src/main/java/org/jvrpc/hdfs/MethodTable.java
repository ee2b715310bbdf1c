package org.jvrpc.hdfs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** The methods of a protocol by their numbers. Immutable; any thread. */
final class MethodTable {

    /**
     * Methods that read the namespace or settings under the read lock and answer in some microseconds, a listing of
     * {@code dfs.ls.limit} entries in less than a millisecond. They are for times when no writer has the namespace's
     * lock or waits for it: handlers do them then, side by side. They do no I/O, but that {@code getBlockLocations}
     * puts a new access time into the queue of edits, once in {@code dfs.namenode.accesstime.precision}. Not here: what
     * walks whole trees (content summary, quota usage, snapshots), what collects reports of all nodes or blocks, and
     * whatever writes.
     */
    private static final Set<String> LIGHT = Set.of(
            "getBlockLocations", "getFileInfo", "getLocatedFileInfo", "getFileLinkInfo", "isFileClosed", "getListing",
            "getServerDefaults", "getPreferredBlockSize", "getLinkTarget", "getFsStats", "getHAServiceState",
            "getStoragePolicy", "getStoragePolicies", "getAclStatus", "getXAttrs", "listXAttrs", "checkAccess",
            "getErasureCodingPolicy", "getErasureCodingPolicies", "getEZForPath", "getEnclosingRoot");

    /** One method. */
    record Entry(MethodDescriptor descriptor, String name, Message prototype, boolean light) {
    }

    private final Entry[] entries;

    MethodTable(BlockingService service, boolean light) {
        List<MethodDescriptor> methods = service.getDescriptorForType().getMethods();
        entries = new Entry[methods.size()];
        for (MethodDescriptor method : methods) {
            entries[method.getIndex()] = new Entry(method, method.getName(), service.getRequestPrototype(method),
                    light && LIGHT.contains(method.getName()));
        }
    }

    /** Returns a method, or null when there is none of that number. */
    Entry find(int number) {
        return number >= 0 && number < entries.length ? entries[number] : null;
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        for (Entry entry : entries) {
            names.add(entry.name());
        }
        return names;
    }

    boolean[] light() {
        boolean[] light = new boolean[entries.length];
        for (int i = 0; i < light.length; i++) {
            light[i] = entries[i].light();
        }
        return light;
    }
}
