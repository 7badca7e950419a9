"""How large the explorer's page is, how soon it can be used, and how fast it decodes.

    python benchmarks/explorer.py [--sizes 32 64 128] [--moves 60] [--tries 3]

Shapes3D and the convolutional network of full width with 10 units, barely trained, so that few
activations are zero; Debian's chromium without a window. `ready` is from the opening of the file
to the first image; `decode` is one image in the page, beside one image of PyTorch on one thread
in the same run; `move` is from a slider's event to the end of the frame that shows it. Of the
tries the one with the least median, its least in parentheses: on a busy machine the least is what
the page itself takes. `work` is what a move costs the page's thread, in its own time: the same on
a busy machine as on an idle one, but without what other threads paint. `load` is the machine's
average over the last minute, at the end.

With `chrt -r 20 taskset -c 0` before it (the browser has one core of an AMD EPYC to itself; a
median near 17 ms is the wait for the next of 60 frames a second):

    pixels  page     ready  decode           PyTorch          move             work     load
    32      2.1 MB   0.7  s 0.7 (0.6) ms     1.1 (0.7) ms     17.6 (3.5) ms    4.4 ms   17.7
    64      3.6 MB   2.8  s 3.4 (2.7) ms     1.4 (1.2) ms     16.0 (5.5) ms    7.0 ms   18.0
    128     8.3 MB   2.6  s 11.1 (10.5) ms   3.1 (2.8) ms     13.7 (11.7) ms   15.4 ms  20.9

Without, on two cores that other work kept busy:

    32      2.1 MB   4.0 s  1.3 (0.6) ms     1.8 (0.8) ms     36.3 (18.6) ms   5.0 ms   15.4
    64      3.6 MB   4.0 s  27.9 (2.8) ms    6.7 (1.3) ms     56.1 (32.5) ms   7.1 ms   14.2
    128     8.3 MB   10.6 s 79.8 (13.3) ms   28.1 (3.2) ms    103.5 (67.9) ms  14.2 ms  13.5
"""

import argparse
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from selenium import webdriver

import gordium as gd

SWITCHES = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking")
DECODES = """
const done = arguments[1], times = [];
(async () => {
  for (let i = 0; i < arguments[0]; i++) {
    const z = Array.from({length: 10}, () => 2 * Math.random() - 1), begun = performance.now();
    await gordium.decode(z);
    times.push(performance.now() - begun);
  }
  done(times);
})();
"""
MOVES = """
const done = arguments[1], slider = document.querySelector(".unit input"), times = [];
(async () => {
  for (let i = 0; i < arguments[0]; i++) {
    slider.value = Math.sin(i);
    const begun = performance.now();
    slider.dispatchEvent(new Event("input"));
    await new Promise((shown) => requestAnimationFrame(() => {
      const channel = new MessageChannel();  // told after the frame is painted
      channel.port1.onmessage = shown;
      channel.port2.postMessage(0);
    }));
    times.push(performance.now() - begun);
    slider.dispatchEvent(new Event("change"));
    await new Promise((on) => setTimeout(on, 30));
  }
  done(times);
})();
"""


def browser(folder: str) -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or "chromium"
    for switch in (*SWITCHES, f"--user-data-dir={folder}"):
        options.add_argument(switch)
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(300)
    return driver


def barely_trained(size: int) -> Any:
    dataset = gd.load_dataset("shapes3d", size=size)
    return gd.train(gd.methods.BetaVAE(beta=0.1), dataset, steps=5, latent_dim=10, seed=0)


def torch_times(model: Any, n: int) -> list[float]:
    times = []
    with torch.no_grad():
        for z in torch.randn(n, 1, 10):
            begun = time.perf_counter()
            model.decode(z)
            times.append(1e3 * (time.perf_counter() - begun))
    return times


def both(times: list[float]) -> str:
    return f"{statistics.median(times):.1f} ({min(times):.1f}) ms"


def quietest(driver: webdriver.Chrome, script: str, n: int, tries: int) -> list[float]:
    """The times of the try with the least median."""
    found = [driver.execute_async_script(script, n) for _ in range(tries)]
    return min(found, key=statistics.median)


def work_of_a_move(driver: webdriver.Chrome, moves: int) -> float:
    """Milliseconds of the page's thread, script, style, layout and painting together."""

    def worked() -> float:
        found = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(one["value"] for one in found if one["name"] == "TaskDuration")

    driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    time.sleep(5)  # until the pictures below the sliders are drawn
    before = worked()
    driver.execute_async_script(MOVES, moves)
    return 1e3 * (worked() - before) / moves


def measure(size: int, moves: int, tries: int, folder: Path) -> None:
    run = barely_trained(size)
    path = gd.explore(run).save(folder / f"{size}.html")
    driver = browser(tempfile.mkdtemp(dir=folder))
    try:
        driver.get(path.as_uri())
        driver.execute_async_script("gordium.ready.then(arguments[0])")
        script = "return performance.getEntriesByName('gordium-ready')[0].startTime"
        ready = driver.execute_script(script)
        decode = quietest(driver, DECODES, 4 * moves, tries)
        move = quietest(driver, MOVES, moves, tries)
        work = f"{work_of_a_move(driver, moves):.1f} ms"
    finally:
        driver.quit()
    page = f"{path.stat().st_size / 1e6:.1f} MB"
    times = (both(t) for t in (decode, torch_times(run.model, 4 * moves), move))
    load = f"{os.getloadavg()[0]:.1f}"
    print(
        f"{size:<7} {page:<8} {ready / 1e3:<4.1f} s",
        *(f"{t:<16}" for t in times),
        f"{work:<8}",
        load,
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[32, 64, 128])
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--tries", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(1)
    print(
        "pixels  page     ready  decode           PyTorch          move             work     load"
    )
    with tempfile.TemporaryDirectory() as folder:
        for size in given.sizes:
            measure(size, given.moves, given.tries, Path(folder))


if __name__ == "__main__":
    main()
