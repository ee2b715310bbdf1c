package org.jvrpc.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the device for an address. Any thread. */
public final class Devices {

    private Devices() {
    }

    /**
     * Opens the device that serves an address.
     *
     * @param address {@code scheme://…}
     * @throws IllegalArgumentException when no provider has the scheme: the message lists those that exist
     */
    public static Device open(String address) {
        int colon = address.indexOf("://");
        String scheme = colon > 0 ? address.substring(0, colon) : "";
        List<String> known = new ArrayList<>();
        for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader())) {
            if (provider.scheme().equals(scheme)) {
                return provider.open();
            }
            known.add(provider.scheme() + "://");
        }
        Collections.sort(known);
        throw new IllegalArgumentException(
                "no device for address=" + address + "; schemes on the class path: " + known);
    }
}
