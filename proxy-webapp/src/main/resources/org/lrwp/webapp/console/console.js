// Shows the moving parts as they change. The page is whole without this.
"use strict";
(function () {
    const said = document.getElementById("live");

    function inUse(part) {
        return part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
    }

    function show(text) {
        const template = document.createElement("template");
        template.innerHTML = text;
        for (const next of template.content.querySelectorAll("[data-live]")) {
            const part = document.getElementById(next.id);
            if (part && !inUse(part) && part.innerHTML !== next.innerHTML) {
                part.innerHTML = next.innerHTML;
            }
        }
    }

    const source = new EventSource("live");
    source.onopen = function () { said.textContent = "Live."; };
    source.onmessage = function (event) { show(event.data); };
    source.onerror = function () { said.textContent = "The proxy does not answer; trying again."; };
})();
