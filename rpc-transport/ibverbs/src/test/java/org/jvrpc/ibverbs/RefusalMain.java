package org.jvrpc.ibverbs;

import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.ProtectionDomain;

/** A process that is refused something, and prints why. */
final class RefusalMain {

    /** Something that may be refused. */
    enum Wish {
        /** To list devices. */
        LIST,
        /** To open whichever device there is. */
        OPEN_ANY,
        /** To open the first rxe device. */
        OPEN,
        /** To call librdmacm. */
        CONNECTIONS,
        /** To register 1 MiB. */
        REGISTER
    }

    private RefusalMain() {
    }

    public static void main(String[] args) {
        try {
            switch (Wish.valueOf(args[0])) {
                case LIST -> System.out.println(Devices.list());
                case OPEN_ANY -> new RdmaDeviceProvider().open().close();
                case OPEN -> open().close();
                case CONNECTIONS -> Libraries.rdmacm();
                case REGISTER -> register();
            }
            System.out.println("granted");
        } catch (RuntimeException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static Device open() {
        return Devices.open("rdma://10.9.0.1:0?device=rxe0");
    }

    private static void register() {
        try (Device device = open(); ProtectionDomain pd = device.allocatePd()) {
            pd.allocate(4096, Access.LOCAL_WRITE).close();
            pd.allocate(1 << 20, Access.LOCAL_WRITE).close();
        }
    }
}
