package org.jvrpc.tcp.several;

import org.jvrpc.runtime.contract.several.RegistryContract;

class TcpRegistryTest extends RegistryContract implements TcpPlaces {
}
