"""The names of all methods in the order of tables and figures, for what must not import them."""

METHOD_NAMES = (
    *("ae", "vae", "beta-vae", "annealed-vae", "factor-vae", "beta-tcvae", "dip-vae-i"),
    *("dip-vae-ii", "beta-vae-full", "isa-vae", "isa-tcvae", "slow-vae", "pcl", "weak-gan"),
    *("ada-gvae", "orthogonal-vae"),
)
