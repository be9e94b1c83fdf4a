// Says what a page does wrong to those who look at it: low contrast, controls without a name or too small to hit,
// contents wider than the window.
(function () {
    const LEAST_CONTRAST = 4.5;
    const LEAST_HEIGHT = 24;
    const faults = new Set();
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});

    function colour(text) {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        return Array.from(canvas.getImageData(0, 0, 1, 1).data);
    }

    // WCAG 2.2, relative luminance.
    function luminance(rgb) {
        const linear = rgb.slice(0, 3).map(function (value) {
            const share = value / 255;
            return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
        });
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    }

    function groundOf(element) {
        const layers = [];
        for (let one = element; one; one = one.parentElement) {
            layers.unshift(colour(getComputedStyle(one).backgroundColor));
        }
        return layers.reduce(function (under, over) {
            return under.map(function (value, i) { return value + (over[i] - value) * over[3] / 255; });
        }, [255, 255, 255]);
    }

    function contrast(element) {
        const text = luminance(colour(getComputedStyle(element).color));
        const ground = luminance(groundOf(element));
        return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    }

    function hasText(element) {
        return Array.from(element.childNodes).some(function (node) {
            return node.nodeType === Node.TEXT_NODE && node.data.trim() !== "";
        });
    }

    function nameOf(control) {
        const label = control.labels && control.labels[0] ? control.labels[0].textContent : "";
        return control.getAttribute("aria-label") || control.textContent.trim() || label.trim();
    }

    for (const element of document.querySelectorAll("body *")) {
        const box = element.getBoundingClientRect();
        if (box.width === 0 || !element.checkVisibility()) {
            continue;
        }
        const place = element.tagName.toLowerCase() + "." + element.getAttribute("class");
        if (hasText(element) && contrast(element) < LEAST_CONTRAST) {
            faults.add(place + " has a contrast of " + contrast(element).toFixed(2));
        }
        if (element.matches("button, summary, input:not([type=hidden])")) {
            if (box.height < LEAST_HEIGHT) {
                faults.add(place + " is " + box.height + " high");
            }
            if (nameOf(element) === "") {
                faults.add(place + " has no name");
            }
        }
    }
    if (document.documentElement.scrollWidth > innerWidth) {
        faults.add("the page is " + document.documentElement.scrollWidth + " wide");
    }
    return Array.from(faults).join("; ");
})()
