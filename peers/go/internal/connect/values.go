package connect

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The units of the proxy's own configuration.
var (
	timeUnits = []struct {
		name string
		unit time.Duration
	}{{"ms", time.Millisecond}, {"s", time.Second}, {"m", time.Minute}, {"h", time.Hour}, {"d", 24 * time.Hour}}
	sizeUnits = []struct {
		name string
		unit int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"", 1}}
)

func parseTime(text string, least time.Duration) (time.Duration, error) {
	for _, one := range timeUnits {
		digits, found := strings.CutSuffix(text, one.name)
		number, err := strconv.ParseUint(digits, 10, 31)
		if found && err == nil {
			if value := time.Duration(number) * one.unit; value >= least {
				return value, nil
			}
			return 0, fmt.Errorf("is below %s", showTime(least))
		}
	}
	return 0, fmt.Errorf("is no time such as 250ms, 10s, 5m, 1h or 1d")
}

// checkContext takes a path, or the end of names such as .php. The proxy would take more, as other contexts than meant.
func checkContext(text string) error {
	isPath := strings.HasPrefix(text, "/")
	isEnding := len(text) > 1 && text[0] == '.' && !strings.Contains(text, "/")
	if !isPath && !isEnding || strings.ContainsAny(text, " \t\r\n") {
		return errors.New("is no context, such as /app, .php or /")
	}
	return nil
}

// parseSeconds takes a number of seconds, 0.001 to those of a day.
func parseSeconds(text string) (float64, error) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds >= 0.001 && seconds <= 86400) {
		return 0, fmt.Errorf("is no number of seconds from 0.001 to 86400")
	}
	return seconds, nil
}

func showTime(value time.Duration) string {
	if value == 0 {
		return "0s"
	}
	for i := len(timeUnits) - 1; i >= 0; i-- {
		if one := timeUnits[i]; value%one.unit == 0 {
			return fmt.Sprintf("%d%s", value/one.unit, one.name)
		}
	}
	return value.String()
}

func parseSize(text string, most int64) (int64, error) {
	for _, one := range sizeUnits {
		digits, found := strings.CutSuffix(text, one.name)
		number, err := strconv.ParseInt(digits, 10, 63)
		if found && err == nil && number >= 0 {
			if number > most/one.unit {
				return 0, fmt.Errorf("is above %d bytes", most)
			}
			return number * one.unit, nil
		}
	}
	return 0, fmt.Errorf("is no size such as 65536, 64KiB or 10MB")
}

func parseNumber(text string, least, most int) (int, error) {
	number, err := strconv.Atoi(text)
	if err != nil || number < least || number > most {
		return 0, fmt.Errorf("is no number from %d to %d", least, most)
	}
	return number, nil
}

// splitWords takes a command line of a configuration file apart: blanks separate, quotes keep together.
func splitWords(text string) ([]string, error) {
	var words []string
	word, inside, begun := strings.Builder{}, rune(0), false
	for _, c := range text {
		switch {
		case inside != 0 && c == inside:
			inside = 0
		case inside != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			inside, begun = c, true
		case c == ' ' || c == '\t':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if inside != 0 {
		return nil, fmt.Errorf("has a quote that does not end")
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
