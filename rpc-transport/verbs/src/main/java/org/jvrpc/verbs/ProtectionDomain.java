package org.jvrpc.verbs;

import java.nio.ByteBuffer;

/** Ties QPs to the memory that they may use. Source: ibv_alloc_pd(3). Any thread. */
public interface ProtectionDomain extends AutoCloseable {

    /**
     * Allocates zeroed memory that peers can reach, and registers it.
     *
     * @param length in bytes, at least 1; may be more than 2 GiB
     * @param access bits of {@link Access}
     * @throws VerbsException when there is no memory: the message names how much was asked and where
     */
    MemoryRegion allocate(long length, int access);

    /**
     * Registers direct memory for SGEs of this process; peers cannot reach it where the device is in software.
     *
     * @param access {@link Access#LOCAL_WRITE} or 0
     */
    MemoryRegion register(ByteBuffer direct, int access);

    /**
     * Registers direct memory of somebody else, which peers may reach: a mapped file, perhaps, that its owner cuts
     * while it is used. The buffer, and so the mapping, lives until the region is closed. What a device in software
     * touches that is not there any more fails, and its QP with it, nothing else.
     *
     * <p>A device that {@link #pinsMemory} needs all of it to be there now. What its owner cuts later stays the
     * region's: the device goes on to read what lay there, and what it writes nobody sees. The pages are nobody else's
     * until the region is closed, but count no longer as the file's: so adopt as much as is used, for as long.
     *
     * <p>No request takes inline data from there, as a processor would stumble over what was cut; nor should anybody
     * through {@link MemoryRegion#buffer}.
     *
     * @param direct from its first byte to its capacity; 1 byte to 1 GiB
     * @param access bits of {@link Access} but for REMOTE_ATOMIC
     * @throws IllegalArgumentException for other memory or rights
     * @throws VerbsException where the device cannot reach such memory, or cannot pin it: it is not there, lies on a
     *     file system whose pages cannot be pinned for long, or is more than may be locked
     */
    default MemoryRegion adopt(ByteBuffer direct, int access) {
        throw new VerbsException("reg_mr", "device adopts no memory");
    }

    /**
     * Returns true where registered memory is pinned: it cannot be taken away from the device, costs a walk over its
     * pages to register, and counts as locked (RLIMIT_MEMLOCK).
     */
    default boolean pinsMemory() {
        return false;
    }

    /**
     * Registers the memory of another domain's region of this device, or a part of it, under keys of this domain. The
     * memory lives as long as the other region.
     *
     * @param offset of the first byte in the other region
     * @param access bits of {@link Access}, no more than the other region has
     * @throws IndexOutOfBoundsException for bytes outside it
     */
    default MemoryRegion share(MemoryRegion region, long offset, long length, int access) {
        throw new VerbsException("reg_mr", "device shares no regions between domains");
    }

    /** Returns what the cross-channel QPs of this domain run. @throws VerbsException when the device has no such QPs */
    default Chains chains() {
        throw new VerbsException("chains", "device has no cross-channel QPs");
    }

    /**
     * Makes a QP in state RESET. Source: ibv_create_qp(3).
     *
     * @throws VerbsException when an attribute is past the device's limit, or a CQ is exclusive and taken
     */
    QueuePair createQp(QueuePairAttributes attributes);

    /**
     * Makes an SRQ, for QPs of this device. Source: ibv_create_srq(3).
     *
     * @throws VerbsException when an attribute is past the device's limit, or the device has no SRQs
     */
    default SharedReceiveQueue createSrq(SharedReceiveQueueAttributes attributes) {
        throw new VerbsException("create_srq", "device has no shared receive queues");
    }

    /**
     * Makes an address handle, which datagrams need. Source: ibv_create_ah(3).
     *
     * @param remoteEndpoint {@link QueuePair#endpoint()} of any QP of the peer's device: which of its QPs a message
     *     goes to is said by the {@link Destination}
     * @throws VerbsException when the endpoint makes no sense or cannot be reached, or the device has no datagrams
     */
    default AddressHandle createAh(byte[] remoteEndpoint) {
        throw new VerbsException("create_ah", "device has no datagrams");
    }

    /**
     * Makes an address handle of a flow: packets of two labels may take different paths of equal cost, as the UDP
     * source port follows from the label. Source: ibv_create_ah(3), {@code grh.flow_label}.
     *
     * @param flowLabel 1 to 2<sup>20</sup>-1; 0: as {@link #createAh(byte[])}
     * @throws VerbsException as {@link #createAh(byte[])}, and where the device chooses no path by the label
     */
    default AddressHandle createAh(byte[] remoteEndpoint, int flowLabel) {
        QueuePairAttributes.inRange("flowLabel", flowLabel, 0, 0xfffff);
        if (flowLabel != 0) {
            throw new VerbsException("create_ah", "device chooses no path by flow label, flowLabel=" + flowLabel);
        }
        return createAh(remoteEndpoint);
    }

    /**
     * Makes an address handle of a flow whose packets ask for a class of service. Source: ibv_create_ah(3),
     * {@code sl} and {@code grh.traffic_class}.
     *
     * @param flowLabel as in {@link #createAh(byte[], int)}
     * @throws VerbsException as {@link #createAh(byte[], int)}, and where the device cannot ask for the class
     */
    default AddressHandle createAh(byte[] remoteEndpoint, int flowLabel, ServiceClass service) {
        if (!service.isDefault()) {
            throw new VerbsException("create_ah", "device asks for no class of service, " + service);
        }
        return createAh(remoteEndpoint, flowLabel);
    }

    /** Ends the domain. @throws VerbsException while regions, QPs, SRQs or address handles live */
    @Override
    void close();
}
