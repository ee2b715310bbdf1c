package org.jvrpc.softrnic.crash;

import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.crash.CrashScene;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.WorkCompletion;

/** A scene with a device and a channel. */
abstract class Scene implements CrashScene {

    final Device device = ShmUnderTest.open();
    final EventChannel channel = device.createChannel();
    final WorkCompletion wc = new WorkCompletion();

    final Listener listen() {
        return device.listen(SharedMemoryFolder.freshAddress(), channel);
    }

    /** Returns the next who wants to connect; null when nobody does. */
    final ConnectionRequest asked(Listener listener) {
        channel.await(0);
        return listener.poll();
    }

    @Override
    public void close() {
        device.close();
    }
}
