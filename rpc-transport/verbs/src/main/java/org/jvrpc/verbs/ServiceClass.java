package org.jvrpc.verbs;

/**
 * How the network is asked to treat packets: what switches choose a queue, and with it a priority, by. A wish alone:
 * without switches and hosts that are configured for it, all classes are treated alike.
 *
 * <p>RoCEv2 has the traffic class as the IPv4 TOS or IPv6 traffic class byte of each packet. What becomes of the level
 * is up to the device: an InfiniBand port has it as the service level, a card as the priority of a VLAN tag where its
 * port has one; rdma_rxe and {@code roce://} devices leave it out, as UDP sockets have nowhere to put it. Packets that
 * stay within a device or a host, as all of {@code shm://} do, have neither: any class is accepted there, and means
 * nothing.
 *
 * <p>Source: ibv_modify_qp(3) and ibv_create_ah(3), {@code ah_attr.sl} and {@code ah_attr.grh.traffic_class}.
 *
 * @param level service level, 0 to 15; Ethernet has the lowest three bits of it
 * @param trafficClass 0 to 255: the DSCP in the upper six bits, ECN in the lower two
 */
public record ServiceClass(int level, int trafficClass) {

    /** Level 0, traffic class 0: what packets have unless something else is asked for. */
    public static final ServiceClass DEFAULT = new ServiceClass(0, 0);
    /** The highest level of {@link #ofLevel}. */
    public static final int MOST_SELECTOR = 7;

    private static final int MOST_LEVEL = 15;
    private static final int MOST_TRAFFIC_CLASS = 255;
    private static final int SELECTOR_SHIFT = 5;

    /** Checks the values. @throws IllegalArgumentException with the one that is out of range */
    public ServiceClass {
        QueuePairAttributes.inRange("level", level, 0, MOST_LEVEL);
        QueuePairAttributes.inRange("trafficClass", trafficClass, 0, MOST_TRAFFIC_CLASS);
    }

    /**
     * Returns a level with the DSCP of the class selector of that number, 8 times the level (traffic class 32 times
     * it): what cards and switches make priority {@code level} of by default, as they take the upper three bits of the
     * DSCP. Source: RFC 2474, section 4.2.2.
     *
     * @param level 0 to {@value #MOST_SELECTOR}, as there are eight class selectors
     * @throws IllegalArgumentException for any other
     */
    public static ServiceClass ofLevel(int level) {
        QueuePairAttributes.inRange("level", level, 0, MOST_SELECTOR);
        return level == 0 ? DEFAULT : new ServiceClass(level, level << SELECTOR_SHIFT);
    }

    /** Returns true for {@link #DEFAULT}. */
    public boolean isDefault() {
        return level == 0 && trafficClass == 0;
    }
}
