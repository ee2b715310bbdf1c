package org.jvrpc.samples.kv.store;

/** Takes an item. Called under the store's lock: copy what is needed and return, and call the store not at all. */
@FunctionalInterface
public interface ItemVisitor {

    /** Takes the item; the view is good during the call only. */
    void visit(ItemView item);
}
