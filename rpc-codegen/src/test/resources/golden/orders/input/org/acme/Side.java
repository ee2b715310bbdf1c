package org.acme;

public enum Side { BUY, SELL }
