"""Fixtures for all tests: a cache of their own, the folder of genuine reference data, a browser."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a busy machine fails no test
settings.load_profile("untimed")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
CONTRAST = """
const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const behind = (node) => {
  for (; node; node = node.parentElement) {
    const found = parse(getComputedStyle(node).backgroundColor);
    if (found.length < 4 || found[3] === 1) return found;
  }
  return [255, 255, 255];
};
const low = [];
for (const node of document.querySelectorAll("body *")) {
  const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  if (!own || !node.checkVisibility() || ["SCRIPT", "NOSCRIPT"].includes(node.tagName)) continue;
  const both = [light(parse(getComputedStyle(node).color)), light(behind(node))];
  const [a, b] = both.sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) low.push(`${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)}`);
}
return low;
"""
UNNAMED = """
const kinds = "button, input, select, canvas, img, [tabindex]";
return [...document.querySelectorAll(kinds)].filter((node) =>
  !node.closest("[aria-hidden=true], [hidden]") && !(node.labels && node.labels.length) &&
  !node.getAttribute("aria-label") && !node.getAttribute("alt") && !node.textContent.trim()
).map((node) => node.outerHTML);
"""


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_tests(tmp_path_factory):
    """No test reads or writes the user's cache, nor finds the user's data files.

    Processes that share a run of the tests share its cache: what one has rendered, all read.
    """
    shared = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    cache = base.parent / "cache" if shared else tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GORDIUM_CACHE", str(cache))
        patch.delenv("GORDIUM_DATA", raising=False)
        yield


@pytest.fixture(scope="session")
def reference():
    """The folder of reference data: GORDIUM_REFERENCE, or beside the repository."""
    beside = Path(__file__).parents[2] / "shared" / "reference"
    folder = Path(os.environ.get("GORDIUM_REFERENCE", beside))
    if not folder.is_dir():
        pytest.skip("reference folder not found")
    return folder


@pytest.fixture(scope="session")
def room():
    """120 small images of two ordered factors, scale and orientation."""
    from gordium.datasets import in_memory, load_dataset

    held = {"floor_hue": 0, "wall_hue": 5, "object_hue": 8, "shape": 0}
    return in_memory(load_dataset("shapes3d", size=16).hold(**held))


class Browser:
    """Chromium with a page open."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, path, *, width=1280, height=900, dark=False):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        wishes = {
            "prefers-color-scheme": "dark" if dark else "light",
            "prefers-reduced-motion": "reduce",
        }
        features = [{"name": name, "value": value} for name, value in wishes.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(path.as_uri())
        self.wait(
            "(window.gordium || window.report || {ready: Promise.resolve()}).ready.then(() => 1)"
        )
        return self

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def wait(self, promise, *args):
        """The value of a promise; `given` are the arguments."""
        script = "const given = [...arguments], done = given.pop(); "
        script += f"({promise}).then(done, (error) => done({{failed: String(error)}}));"
        found = self.driver.execute_async_script(script, *args)
        assert not (isinstance(found, dict) and "failed" in found), found
        return found

    def until(self, script, *, seconds=30):
        """Wait until a script gives something true, and give it."""
        end = time.monotonic() + seconds
        while not (found := self.run(script)):
            assert time.monotonic() < end, f"never: {script}"
            time.sleep(0.05)
        return found

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    @property
    def low_contrast(self):
        """Visible text whose contrast with what is behind it is below 4.5, as "ratio: text"."""
        return self.run(CONTRAST)

    @property
    def unnamed(self):
        """Controls, pictures and scrolled parts that have no name for who does not see them."""
        return self.run(UNNAMED)

    @property
    def asked(self):
        """The kinds of addresses that were asked for since the page was opened."""
        log = [
            json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")
        ]
        sent = [
            m["params"]["request"]["url"] for m in log if m["method"] == "Network.requestWillBeSent"
        ]
        return {url.partition(":")[0] for url in sent}

    @property
    def problems(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("no browser: Debian's chromium and chromium-driver are not installed")
    webdriver = pytest.importorskip("selenium.webdriver", reason="no browser: no selenium")

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for switch in (*SWITCHES, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=DRIVER)
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(120)
    yield Browser(driver)
    driver.quit()
