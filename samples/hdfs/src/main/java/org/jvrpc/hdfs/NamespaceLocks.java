package org.jvrpc.hdfs;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystemLock;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;

/**
 * The locks of a NameNode's namespace, and who implements a protobuf service. Hadoop shows neither, so both are found
 * by reflection in the fields of Hadoop 3.5.0. Any thread.
 */
final class NamespaceLocks {

    private final FSNamesystemLock[] locks;

    private NamespaceLocks(List<FSNamesystemLock> locks) {
        this.locks = locks.toArray(new FSNamesystemLock[0]);
    }

    /** Returns what answers a service's calls: a NameNode, a router, or null when that is not known. */
    static ClientProtocol implementation(BlockingService service) throws ReflectiveOperationException {
        for (Field field : service.getClass().getDeclaredFields()) {
            if (field.getType() == ClientNamenodeProtocol.BlockingInterface.class) {
                return behind(get(field, service));
            }
        }
        return null;
    }

    private static ClientProtocol behind(Object translator) throws ReflectiveOperationException {
        Class<?> known = ClientNamenodeProtocolServerSideTranslatorPB.class;
        return known.isInstance(translator)
                ? (ClientProtocol) get(known.getDeclaredField("server"), translator)
                : null;
    }

    /** Returns the locks of a NameNode. @throws ReflectiveOperationException when they are not where they were */
    static NamespaceLocks of(NameNodeRpcServer nameNode) throws ReflectiveOperationException {
        Object namesystem = get(NameNodeRpcServer.class.getDeclaredField("namesystem"), nameNode);
        Object manager = get(FSNamesystem.class.getDeclaredField("fsLock"), namesystem);
        List<FSNamesystemLock> found = new ArrayList<>();
        for (Field field : manager.getClass().getDeclaredFields()) {
            if (field.getType() == FSNamesystemLock.class) {
                found.add((FSNamesystemLock) get(field, manager));
            }
        }
        if (found.isEmpty()) {
            throw new NoSuchFieldException("no lock in " + manager.getClass().getName());
        }
        return new NamespaceLocks(found);
    }

    private static Object get(Field field, Object object) throws ReflectiveOperationException {
        field.setAccessible(true);
        return field.get(object);
    }

    /**
     * Returns true when a reader would not have to wait: no writer is in, and nobody is in line. Later may be another
     * matter; a writer that comes in between is waited for.
     */
    boolean areFree() {
        for (FSNamesystemLock holder : locks) {
            ReentrantReadWriteLock lock = holder.getLockForTests();
            if (lock.isWriteLocked() || lock.hasQueuedThreads()) {
                return false;
            }
        }
        return true;
    }
}
