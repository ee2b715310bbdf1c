package org.acme;

import java.io.IOException;
import org.jvrpc.api.RpcService;

interface Left {
    Object same();

    void fails() throws IOException;
}

interface Right {
    String same();

    void fails();
}

@RpcService
interface Inherited extends Left, Right { // ERROR org.acme.Inherited inherits fails() from org.acme.Left and from org.acme.Right with different results or exceptions: declare it in org.acme.Inherited // ERROR org.acme.Inherited inherits same() from org.acme.Left and from org.acme.Right with different results or exceptions: declare it in org.acme.Inherited
}

interface Base {
    void thread(Thread thread); // ERROR parameter thread: java.lang.Thread cannot travel: it belongs to its process
}

@RpcService
interface Derived extends Base {
}
