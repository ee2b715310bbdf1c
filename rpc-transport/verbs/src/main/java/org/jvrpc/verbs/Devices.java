package org.jvrpc.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the device for an address, and all that there are. Any thread. */
public final class Devices {

    /** Found once: to look for them reads files. */
    private static volatile List<DeviceProvider> providers;

    private Devices() {
    }

    private static List<DeviceProvider> providers() {
        List<DeviceProvider> found = providers;
        if (found == null) {
            found = new ArrayList<>();
            ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader()).forEach(found::add);
            providers = found;
        }
        return found;
    }

    /** Returns the devices of all schemes on the class path, those of a scheme together. */
    public static List<DeviceInfo> list() {
        List<DeviceInfo> all = new ArrayList<>();
        for (DeviceProvider provider : providers()) {
            all.addAll(provider.list());
        }
        return all;
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
        for (DeviceProvider provider : providers()) {
            if (provider.scheme().equals(scheme)) {
                return provider.open(address);
            }
            known.add(provider.scheme() + "://");
        }
        Collections.sort(known);
        throw new IllegalArgumentException(
                "no device for address=" + address + "; schemes on the class path: " + known);
    }
}
