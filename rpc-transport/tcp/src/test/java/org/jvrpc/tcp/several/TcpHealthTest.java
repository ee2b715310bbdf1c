package org.jvrpc.tcp.several;

import org.jvrpc.runtime.contract.several.HealthContract;

class TcpHealthTest extends HealthContract implements TcpPlaces {
}
