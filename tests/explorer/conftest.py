"""Small runs, their pages, and a browser to open them in; tests skip where there is none."""

import shutil
import time

import pytest

import gordium as gd
from gordium.explorer import explore
from gordium.networks import Convolutional

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
SMALL = Convolutional(0.125)


def trained(dataset, method=None, **settings):
    given = {"steps": 3, "latent_dim": 4, "seed": 0, "architecture": SMALL, **settings}
    method = method or gd.methods.BetaVAE(beta=0.1)
    return gd.train(method, dataset, report=lambda *_: None, **given)


@pytest.fixture(scope="session")
def rooms():
    """480 000 small images: too many for a page, so that lines are stored."""
    return gd.load_dataset("shapes3d", size=16)


@pytest.fixture(scope="session")
def run(room):
    return trained(room, steps=60)


@pytest.fixture(scope="session")
def page(run, tmp_path_factory):
    """The page of a run on a grid of 120 images, which it holds whole."""
    return explore(run, points=60).save(tmp_path_factory.mktemp("page") / "page.html")


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
        self.wait("gordium.ready.then(() => 'ready')")
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
