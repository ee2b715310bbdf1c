package org.jvrpc.samples.kv.store;

/** What tests of other packages may see of a store. */
public final class StoreTestAccess {

    private StoreTestAccess() {
    }

    /** Checks every link. */
    public static void audit(Store store) {
        Audit.check(store);
    }
}
