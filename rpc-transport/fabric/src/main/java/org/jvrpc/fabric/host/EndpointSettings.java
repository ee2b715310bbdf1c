package org.jvrpc.fabric.host;

import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.rc.RcAttributes;

/**
 * What a QP is.
 *
 * @param attributes of its connection
 * @param works WRs that may be under way
 * @param serviceLevel of its packets
 * @param sourcePort of UDP, by which paths are chosen
 * @param dcqcn parameters of its congestion control; null: none, it sends at line rate
 */
public record EndpointSettings(RcAttributes attributes, int works, int serviceLevel, int sourcePort,
        DcqcnParameters dcqcn) {

    private static final int FIRST_PORT = 0xc000;

    /** Returns the defaults: service level 3, 16 works, no congestion control, the first port. */
    public static EndpointSettings of(RcAttributes attributes) {
        return new EndpointSettings(attributes, 16, 3, FIRST_PORT, null);
    }

    public EndpointSettings withServiceLevel(int level) {
        return new EndpointSettings(attributes, works, level, sourcePort, dcqcn);
    }

    /** Returns the same from another port: 0xc000 and what is given, up to 0xffff. */
    public EndpointSettings withPort(int number) {
        return new EndpointSettings(attributes, works, serviceLevel, FIRST_PORT | number & 0x3fff, dcqcn);
    }

    public EndpointSettings withDcqcn(DcqcnParameters parameters) {
        return new EndpointSettings(attributes, works, serviceLevel, sourcePort, parameters);
    }

    /** Returns the name of its parameters, as it stands beside figures. */
    public String dcqcnName() {
        return dcqcn == null ? "none" : dcqcn.name();
    }
}
