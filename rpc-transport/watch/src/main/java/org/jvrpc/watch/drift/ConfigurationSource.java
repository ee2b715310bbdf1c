package org.jvrpc.watch.drift;

import java.util.SortedMap;

/** Somebody who has settings: a switch, a port of a host's device, a QP. One thread. */
public interface ConfigurationSource {

    /** Who. What each may be set to is in {@link Schema}. */
    enum Kind {
        /** Of the fabric. */
        SWITCH,
        /** A port of a device of a host. */
        HOST,
        /** A QP of a host. */
        QP
    }

    /**
     * Where a host's settings are, for remedies.
     *
     * @param netdev network device of the port; a word that says so when there is none
     * @param card folder of the card's own settings, with its slash
     */
    record Place(String device, String port, String netdev, String card) {

        /** No place. */
        public static final Place NONE = new Place("the device", "1", "its network device", "");
    }

    Kind kind();

    /** Returns where a host's settings are. */
    default Place place() {
        return Place.NONE;
    }

    /** Returns the name: T3, or host/device/port. At most 256 characters. */
    String subject();

    /** Returns what is set now, by the schema's keys; never throws for one of them. */
    SortedMap<String, Setting> read();
}
