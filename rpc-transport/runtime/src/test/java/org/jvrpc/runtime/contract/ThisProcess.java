package org.jvrpc.runtime.contract;

/** Servers in the process of the test. */
final class ThisProcess implements ServerProcess {

    private final ServerSide side = new ServerSide();

    @Override
    public <T> T ask(Work<T> work) {
        return unchecked(() -> work.on(side));
    }

    @Override
    public void close() {
        unchecked(() -> {
            side.close();
            return null;
        });
    }

    private static <T> T unchecked(java.util.concurrent.Callable<T> work) {
        try {
            return work.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
