package org.jvrpc.tcp.several;

import org.jvrpc.runtime.contract.several.SeveralContract;

class TcpSeveralTest extends SeveralContract implements TcpPlaces {
}
