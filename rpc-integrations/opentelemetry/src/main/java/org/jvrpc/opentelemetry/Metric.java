package org.jvrpc.opentelemetry;

import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.resources.Resource;

/** A metric with its points. Immutable. */
record Metric(Resource resource, String name, String description, String unit, MetricDataType type, Data<?> data)
        implements MetricData {

    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create(JvrpcTracing.SCOPE);

    @Override
    public Resource getResource() {
        return resource;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getDescription() {
        return description;
    }

    @Override
    public String getUnit() {
        return unit;
    }

    @Override
    public MetricDataType getType() {
        return type;
    }

    @Override
    public Data<?> getData() {
        return data;
    }
}
