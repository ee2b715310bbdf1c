package org.jvrpc.verbs.contract;

import org.junit.jupiter.api.Nested;

/**
 * Everything that a device must do, as one suite: a device runs it by a test class that extends this one and opens the
 * device. The themes are classes of their own.
 */
public abstract class QueuePairContract implements DeviceUnderTest {

    @Nested
    final class StateTest extends StateContract {
        StateTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class SendReceiveTest extends SendReceiveContract {
        SendReceiveTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class OneSidedTest extends OneSidedContract {
        OneSidedTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class AdoptTest extends AdoptContract {
        AdoptTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class ReceiverNotReadyTest extends ReceiverNotReadyContract {
        ReceiverNotReadyTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class LocalErrorTest extends LocalErrorContract {
        LocalErrorTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class RemoteErrorTest extends RemoteErrorContract {
        RemoteErrorTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class FlushTest extends FlushContract {
        FlushTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class QueueTest extends QueueContract {
        QueueTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class OrderingTest extends OrderingContract {
        OrderingTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class CompletionQueueTest extends CompletionQueueContract {
        CompletionQueueTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class EventTest extends EventContract {
        EventTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class StatefulVerbCallTest extends StatefulVerbCallContract {
        StatefulVerbCallTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class PushTest extends PushContract {
        PushTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class LifecycleTest extends LifecycleContract {
        LifecycleTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class ConnectionTest extends ConnectionContract {
        ConnectionTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class AttachTest extends AttachContract {
        AttachTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class SharedReceiveQueueTest extends SharedReceiveQueueContract {
        SharedReceiveQueueTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class SharedReceiveScheduleTest extends SharedReceiveScheduleContract {
        SharedReceiveScheduleTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class ServiceClassTest extends ServiceClassContract {
        ServiceClassTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class DatagramTest extends DatagramContract {
        DatagramTest() {
            super(QueuePairContract.this);
        }
    }

    @Nested
    final class DatagramTrafficTest extends DatagramTrafficContract {
        DatagramTrafficTest() {
            super(QueuePairContract.this);
        }
    }
}
