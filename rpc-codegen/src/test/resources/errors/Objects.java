package org.acme;

import java.util.List;
import org.jvrpc.api.RpcService;

@RpcService(objects = {int.class, // ERROR int.class in objects is not a class or an array
        String.class,
        Objects.Hidden.class, // ERROR Hidden.thread: java.lang.Thread cannot travel: it belongs to its process
        Objects.Plugin.class})
interface Objects {

    Object fine(Object value);

    Plugin alsoFine(List<Plugin> plugins);

    Number notListed(); // ERROR result of notListed: java.lang.Number does not say which classes travel: name them in @RpcService(objects = ...)

    class Plugin {
    }

    class Hidden {
        Thread thread;
    }
}
