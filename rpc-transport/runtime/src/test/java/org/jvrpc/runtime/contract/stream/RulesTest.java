package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** The rules of reactive streams, by their own test kit: of results' publishers, and of arguments' subscribers. */
class RulesTest {

    private static final FeedImpl IMPL = new FeedImpl();
    private static RpcServer server;
    private static RpcClient client;
    private static Feed feed;

    @BeforeAll
    static void open() {
        server = RpcServer.builder().bind(ShmFolder.address()).service(Feed.class, IMPL).start();
        client = RpcClient.connect(server.address());
        feed = client.stub(Feed.class);
    }

    @AfterAll
    static void close() {
        client.close();
        server.shutdownNow();
    }

    /** Of results. */
    public static final class Publishers extends FlowPublisherVerification<Feed.Tick> {

        /** For the test kit. */
        public Publishers() {
            super(new TestEnvironment(2000, 20, 20), 1000);
        }

        @Override
        public Flow.Publisher<Feed.Tick> createFlowPublisher(long elements) {
            return StreamFixture.ticks(feed, "ACME", elements);
        }

        @Override
        public Flow.Publisher<Feed.Tick> createFailedFlowPublisher() {
            return StreamFixture.ticks(feed, "none", 1);
        }
    }

    /** Of arguments. */
    public static final class Subscribers extends FlowSubscriberBlackboxVerification<Long> {

        /** For the test kit. */
        public Subscribers() {
            super(new TestEnvironment(2000, 20, 20));
        }

        @Override
        public Flow.Subscriber<Long> createFlowSubscriber() {
            AtomicReference<Flow.Subscriber<? super Long>> subscribed = new AtomicReference<>();
            feed.sumLater(subscribed::set);
            return new Flow.Subscriber<>() {
                private final Flow.Subscriber<? super Long> subscriber = subscribed.get();

                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    subscriber.onSubscribe(subscription);
                }

                @Override
                public void onNext(Long element) {
                    subscriber.onNext(element);
                }

                @Override
                public void onError(Throwable cause) {
                    subscriber.onError(cause);
                }

                @Override
                public void onComplete() {
                    subscriber.onComplete();
                }
            };
        }

        @Override
        public Long createElement(int element) {
            return (long) element;
        }
    }

    private static void keeps(Class<?> rules) {
        TestListenerAdapter results = new TestListenerAdapter();
        TestNG testNg = new TestNG(false);
        testNg.setUseDefaultListeners(false);
        testNg.setVerbose(0);
        testNg.setTestClasses(new Class<?>[] {rules});
        testNg.addListener(results);
        testNg.run();
        assertEquals("", texts(results.getFailedTests()));
        assertTrue(results.getPassedTests().size() > 10, "passed: " + results.getPassedTests().size());
    }

    private static String texts(List<ITestResult> failed) {
        return failed.stream().map(result -> result.getName() + ": " + result.getThrowable())
                .sorted().collect(Collectors.joining("\n"));
    }

    @Test
    void aResultsPublisherKeepsTheRules() {
        keeps(Publishers.class);
    }

    @Test
    void anArgumentsSubscriberKeepsTheRules() {
        keeps(Subscribers.class);
    }
}
