package org.lrwp.osp.routing;

import java.math.BigDecimal;

/** Amounts of money as millionths. */
final class Money {
    private static final int PLACES = 6;

    private Money() {}

    static int millionths(String text) {
        try {
            return new BigDecimal(text).movePointRight(PLACES).intValueExact();
        } catch (ArithmeticException | NumberFormatException unfit) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no amount of up to 2147 with up to 6 decimals", unfit);
        }
    }

    static String text(int millionths) {
        return BigDecimal.valueOf(millionths, PLACES).stripTrailingZeros().toPlainString();
    }
}
