"""The other methods of Table 1 of Zietlow et al. 2021, on the images of a repetition."""

from dataclasses import replace

from gordium.exhibits.demo.seeds import OTHER_SEEDS, seeds
from gordium.methods import AE, PCL, BetaTCVAE, FactorVAE, SlowVAE, WeakGAN
from gordium.study.arm import Arm
from gordium.study.study import Study

N_SEEDS = 2
_GAN_STEPS = 1000
LADDER = {  # by the study's name; on other rungs all six are trained
    "demo-1-designed": ("ae", "beta-tcvae", "slow-vae", "pcl"),
    "demo-2-designed": ("ae", "pcl"),
}


def list_others(rung: Study) -> list[Arm]:
    """The methods that a rung has beside the beta-VAE, trained as that is.

    Strengths are those of the laptop study. The GAN takes fewer steps, since each costs as much as
    six of a VAE's, and has a critic that compares its two images by design: the published critic
    has to learn this, which takes longer.
    """
    [fresh] = rung.arms
    methods = AE(), FactorVAE(gamma=7.0, width=256), BetaTCVAE(beta=8.0), SlowVAE(), PCL()
    gan = WeakGAN(critic_width=0.5, compare=True)
    shorter = {**fresh.settings, "steps": _GAN_STEPS}
    arms = [
        *(replace(fresh, method=method) for method in methods),
        replace(fresh, method=gan, settings=shorter),
    ]
    return [arm for arm in arms if arm.method.name in LADDER.get(rung.name, (arm.method.name,))]


def choose_seeds(repetition: int) -> tuple[int, ...]:
    """The seeds of the other methods in a repetition; nothing is chosen by them."""
    return seeds(repetition, OTHER_SEEDS, N_SEEDS)
