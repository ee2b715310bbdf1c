package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.binding.QpCommandLayouts;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.QpHandle;

/** A QP as the kernel knows it. Any thread. */
final class RxeQpHandle implements QpHandle {

    private final RxeCommands commands;
    private final int handle;
    private final int number;
    private final UverbsCommand stateQuery;
    private boolean destroyed;

    RxeQpHandle(RxeCommands commands, int handle, int number) {
        this.commands = commands;
        this.handle = handle;
        this.number = number;
        this.stateQuery = commands.stateQuery(handle);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public void modify(QpChange change) {
        commands.modifyQp(handle, change);
    }

    @Override
    public synchronized int queryState() {
        return commands.queryQpState(stateQuery);
    }

    @Override
    public synchronized void destroy() {
        if (!destroyed) {
            destroyed = true;
            commands.destroy(QpCommandLayouts.IB_USER_VERBS_CMD_DESTROY_QP, handle);
        }
    }
}
