"""What Figures 5 and 6 of Stühmer et al. 2020 share: MIG against reconstruction over beta."""

import pandas as pd

from gordium.exhibits.number_text import mean_and_std
from gordium.exhibits.stuehmer2020.estimates import LOSS, MIG, SAMPLED, say_mig
from gordium.report.figures import sweeps
from gordium.report.names import sort_names
from gordium.report.statistics.sweeps import tradeoff

HEAD = ("data", "method", "beta", "MIG", "reconstruction, nats", "runs")
TITLES = {
    "beta-vae": "β-VAE",
    "beta-tcvae": "β-TCVAE",
    "isa-vae": "ISA-VAE",
    "isa-tcvae": "ISA-TCVAE",
    f"beta-vae{SAMPLED}": "β-VAE",
}
NOTE = (
    "Reconstruction is minus the loss at the end of the training, so that larger is better; means "
    "± standard errors."
)
ALIKE = "The KL of the beta-VAE is sampled, as that of the ISA-VAE and of TC methods is."
CLOSED = (
    "The ISA-VAE's KL and that of TC methods are sampled, the beta-VAE's is in closed form: at "
    "beta = 1 the beta-TCVAE is the VAE with a sampled one."
)


def say_estimates(frame: pd.DataFrame) -> str:
    """Which MIG the rows hold, and whose KL is sampled."""
    alike = f"beta-vae{SAMPLED}" in set(frame["method"])
    return f"{say_mig(frame)} {NOTE} {ALIKE if alike else CLOSED}"


def points(frame: pd.DataFrame) -> pd.DataFrame:
    """Means and errors by data set, method and beta; x is minus the reconstruction loss."""
    found = tradeoff(frame, LOSS, MIG)
    return found.assign(x=-found["x"])


def body(found: pd.DataFrame) -> list[tuple[str, ...]]:
    """The lines of the table."""
    return [
        (
            line.dataset,
            line.method,
            f"{line.strength:g}",
            mean_and_std(line.y, line.y_error, 3),
            mean_and_std(line.x, line.x_error, 1),
            str(line.n),
        )
        for line in found.itertuples()
    ]


def curves(found: pd.DataFrame) -> bytes:
    """Draw one curve for each method, its points labelled by beta."""
    lines = {
        TITLES.get(method, method): found[found["method"] == method]
        for method in sort_names(found["method"])
    }
    names = tuple(dict.fromkeys(TITLES.values()))
    return sweeps.tradeoff_curves(lines, x_label="reconstruction, nats", y_label="MIG", names=names)
