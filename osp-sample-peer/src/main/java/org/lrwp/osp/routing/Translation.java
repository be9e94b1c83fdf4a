package org.lrwp.osp.routing;

import org.lrwp.osp.message.Party;

import java.util.List;
import java.util.Optional;

/**
 * How a number is changed: a row of the table translations. The longest prefix that fits counts,
 * and of two the one that names its device or destination.
 *
 * @param scope the device (before routing) or destination (after routing); {@code *}: any
 * @param prefix what the number begins with
 * @param strip how many characters are taken off at the beginning
 * @param add what is put before the rest
 */
record Translation(String scope, String prefix, int strip, String add) {
    /** The rules for one kind of number at one time. */
    record Rules(List<Translation> all) {
        Rules {
            all = List.copyOf(all);
        }

        Optional<Translation> of(String scope, String number) {
            Optional<Translation> best = Optional.empty();
            for (Translation each : all) {
                if (each.fits(scope, number) && best.map(each::saysMoreThan).orElse(true)) {
                    best = Optional.of(each);
                }
            }
            return best;
        }

        Party applied(String scope, Party party) {
            return of(scope, party.number())
                    .map(rule -> party.withNumber(rule.applied(party.number())))
                    .orElse(party);
        }
    }

    private boolean fits(String who, String number) {
        return (scope.equals("*") || scope.equals(who)) && number.startsWith(prefix);
    }

    private boolean saysMoreThan(Translation other) {
        return prefix.length() != other.prefix.length()
                ? prefix.length() > other.prefix.length()
                : other.scope.equals("*") && !scope.equals("*");
    }

    private String applied(String number) {
        return add + number.substring(Math.min(strip, number.length()));
    }
}
